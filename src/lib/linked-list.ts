/** A doubly linked list: what is in it, wherever it is, leaves in constant time. A Set does not, once it has many holes. */

export interface Link<Value> {
  readonly value: Value;
}

interface Joint<Value> extends Link<Value> {
  list: LinkedList<Value> | null;
  before: Joint<Value> | null;
  after: Joint<Value> | null;
}

export class LinkedList<Value> implements Iterable<Value> {
  #first: Joint<Value> | null = null;
  #last: Joint<Value> | null = null;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): Value | undefined {
    return this.#first?.value;
  }

  /** At the end. The link is what `remove` takes. */
  push(value: Value): Link<Value> {
    const joint: Joint<Value> = { value, list: this, before: this.#last, after: null };
    if (this.#last === null) this.#first = joint;
    else this.#last.after = joint;
    this.#last = joint;
    this.#length += 1;
    return joint;
  }

  /** False, and nothing happens, for a link that is not in this list any more. */
  remove(link: Link<Value>): boolean {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- links are made by `push` alone
    const joint = link as Joint<Value>;
    if (joint.list !== this) return false;
    joint.list = null;
    if (joint.before === null) this.#first = joint.after;
    else joint.before.after = joint.after;
    if (joint.after === null) this.#last = joint.before;
    else joint.after.before = joint.before;
    this.#length -= 1;
    return true;
  }

  *[Symbol.iterator](): Iterator<Value> {
    for (let joint = this.#first; joint !== null; joint = joint.after) yield joint.value;
  }
}
