/**
 * Pickles of plain data: an allow-list of opcodes (Python's pickletools, protocols 0 to 5) for str, bytes, list, dict,
 * tuple, int, float, bool and None. Whatever could name, import or call something is refused unread. Bounded in bytes,
 * depth, values and the text that shared parts become when they are written out.
 */
import { DATASET_BOUNDS } from '../../domain/limits.ts';
import { toDict } from './python-literal.ts';
import { PickleReader } from './pickle-reader.ts';
import {
  DecodeError,
  isPythonValue,
  isRawNumber,
  numberOf,
  PythonBytes,
  type RawNumber,
  type Value,
} from './value.ts';

/** What the machine builds: containers may be shared and cyclic until they are copied out. */
type Node = null | boolean | number | string | RawNumber | PythonBytes | ListNode | DictNode;
class ListNode {
  readonly items: Node[];
  /** A tuple does not change any more. */
  readonly isTuple: boolean;
  constructor(items: Node[], isTuple: boolean) {
    this.items = items;
    this.isTuple = isTuple;
  }
}
class DictNode {
  readonly entries: [Node, Node][] = [];
}

class Machine {
  readonly stack: Node[] = [];
  readonly marks: number[] = [];
  readonly memo = new Map<number, Node>();
  #made = 0;

  push(node: Node): void {
    this.#made += 1;
    if (this.#made > DATASET_BOUNDS.values)
      throw new DecodeError(`a pickle of more than ${DATASET_BOUNDS.values} values`);
    this.stack.push(node);
  }

  pop(): Node {
    const floor = this.marks.at(-1) ?? 0;
    const node = this.stack.length > floor ? this.stack.pop() : undefined;
    if (node === undefined) throw new DecodeError('a pickle that takes more than it has');
    return node;
  }

  top(): Node {
    const node = this.pop();
    this.stack.push(node);
    return node;
  }

  /** Everything above the last mark, which goes too. */
  popMark(): Node[] {
    const mark = this.marks.pop();
    if (mark === undefined) throw new DecodeError('a pickle without a mark where it needs one');
    return this.stack.splice(mark);
  }

  mark(): void {
    if (this.marks.length >= DATASET_BOUNDS.depth * 2)
      throw new DecodeError('a pickle with too many marks');
    this.marks.push(this.stack.length);
  }

  remember(key: number): void {
    this.memo.set(key, this.top());
  }

  recall(key: number): void {
    const node = this.memo.get(key);
    if (node === undefined) throw new DecodeError('a pickle that recalls what it never kept');
    this.push(node);
  }

  append(nodes: readonly Node[]): void {
    const list = this.top();
    if (!(list instanceof ListNode) || list.isTuple)
      throw new DecodeError('a pickle that appends to no list');
    for (const node of nodes) list.items.push(node);
  }

  setItems(nodes: readonly Node[]): void {
    const dict = this.top();
    if (!(dict instanceof DictNode) || nodes.length % 2 !== 0)
      throw new DecodeError('a pickle that sets items of no dictionary');
    for (let at = 0; at + 1 < nodes.length; at += 2) {
      dict.entries.push([nodes[at] ?? null, nodes[at + 1] ?? null]);
    }
  }
}

type Step = (machine: Machine, reader: PickleReader) => void;

function tuple(count: number): Step {
  return (machine) => {
    const items = Array.from({ length: count }, () => machine.pop()).toReversed();
    machine.push(new ListNode(items, true));
  };
}

function pushed(read: (reader: PickleReader) => Node): Step {
  return (machine, reader) => {
    machine.push(read(reader));
  };
}

function dictOf(machine: Machine, nodes: readonly Node[]): void {
  machine.push(new DictNode());
  machine.setItems(nodes);
}

function integerLine(reader: PickleReader): Node {
  const line = reader.line();
  if (line === '00') return false;
  return line === '01' ? true : integer(line);
}

function integer(line: string): Node {
  const text = line.replace(/L$/, '');
  if (!/^[+-]?\d{1,4400}$/.test(text)) throw new DecodeError('a pickle with a wrong integer');
  return numberOf(BigInt(text).toString());
}

function float(value: number): Node {
  if (Number.isNaN(value)) throw new DecodeError('a pickle that holds NaN, which equals nothing');
  if (!Number.isFinite(value)) return numberOf(value > 0 ? '1e999' : '-1e999');
  if (Object.is(value, -0)) return numberOf('-0.0');
  // A float stays one: 1.0 is not 1.
  return numberOf(Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value));
}

function floatLine(reader: PickleReader): Node {
  const line = reader.line();
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(line) || line.length > 64)
    throw new DecodeError('a pickle with a wrong float');
  return float(Number(line));
}

/** By opcode; what is not here is refused. */
const OPCODES: readonly (readonly [string, Step])[] = [
  ['N', pushed(() => null)],
  ['\x88', pushed(() => true)],
  ['\x89', pushed(() => false)],
  ['I', pushed(integerLine)],
  ['L', pushed((reader) => integer(reader.line()))],
  ['J', pushed((reader) => reader.signed32())],
  ['K', pushed((reader) => reader.byte())],
  ['M', pushed((reader) => reader.unsigned(2))],
  ['\x8a', pushed((reader) => numberOf(reader.integer(reader.byte())))],
  ['\x8b', pushed((reader) => numberOf(reader.integer(reader.unsigned(4))))],
  ['F', pushed(floatLine)],
  ['G', pushed((reader) => float(reader.double()))],
  ['V', pushed((reader) => reader.escapedLine())],
  ['X', pushed((reader) => reader.text(reader.unsigned(4)))],
  ['\x8c', pushed((reader) => reader.text(reader.byte()))],
  ['\x8d', pushed((reader) => reader.text(reader.unsigned(8)))],
  ['S', pushed((reader) => reader.quotedLine())],
  ['T', pushed((reader) => reader.text(reader.unsigned(4)))],
  ['U', pushed((reader) => reader.text(reader.byte()))],
  ['B', pushed((reader) => new PythonBytes(reader.bytes(reader.unsigned(4))))],
  ['C', pushed((reader) => new PythonBytes(reader.bytes(reader.byte())))],
  ['\x8e', pushed((reader) => new PythonBytes(reader.bytes(reader.unsigned(8))))],
  ['\x96', pushed((reader) => new PythonBytes(reader.bytes(reader.unsigned(8))))],
  ['(', (machine) => machine.mark()],
  ['0', (machine) => void machine.pop()],
  ['1', (machine) => void machine.popMark()],
  [']', pushed(() => new ListNode([], false))],
  ['l', (machine) => machine.push(new ListNode(machine.popMark(), false))],
  ['a', (machine) => machine.append([machine.pop()])],
  ['e', (machine) => machine.append(machine.popMark())],
  [')', tuple(0)],
  ['t', (machine) => machine.push(new ListNode(machine.popMark(), true))],
  ['\x85', tuple(1)],
  ['\x86', tuple(2)],
  ['\x87', tuple(3)],
  ['}', pushed(() => new DictNode())],
  ['d', (machine) => dictOf(machine, machine.popMark())],
  ['s', (machine) => machine.setItems([machine.pop(), machine.pop()].toReversed())],
  ['u', (machine) => machine.setItems(machine.popMark())],
  ['p', (machine, reader) => machine.remember(reader.index())],
  ['q', (machine, reader) => machine.remember(reader.byte())],
  ['r', (machine, reader) => machine.remember(reader.unsigned(4))],
  ['\x94', (machine) => machine.remember(machine.memo.size)],
  ['g', (machine, reader) => machine.recall(reader.index())],
  ['h', (machine, reader) => machine.recall(reader.byte())],
  ['j', (machine, reader) => machine.recall(reader.unsigned(4))],
  // The frames of protocol 4 only help a reader of files.
  ['\x95', (_machine, reader) => void reader.unsigned(8)],
];
const STEPS: ReadonlyMap<number, Step> = new Map(
  OPCODES.map(([letter, step]) => [letter.charCodeAt(0), step]),
);

const PROTO = 0x80;
const STOP = 0x2e;
const PROTOCOL_MAX = 5;

/** The value that a pickle of plain data holds; tuples become lists. Throws DecodeError and nothing else. */
export function parsePickle(bytes: Uint8Array): Value {
  if (bytes.length > DATASET_BOUNDS.inflatedBytes)
    throw new DecodeError(`a pickle of more than ${DATASET_BOUNDS.inflatedBytes} bytes`);
  const reader = new PickleReader(bytes);
  const machine = new Machine();
  for (;;) {
    const opcode = reader.byte();
    if (opcode === STOP) break;
    if (opcode === PROTO) {
      if (reader.byte() > PROTOCOL_MAX) throw new DecodeError('a pickle of a later protocol');
      continue;
    }
    const step = STEPS.get(opcode);
    if (step === undefined) {
      const name = opcode.toString(16).padStart(2, '0');
      throw new DecodeError(`a pickle with opcode 0x${name}, which is no plain data`);
    }
    step(machine, reader);
  }
  return copyOut(machine.pop());
}

/** The tree of a node. Parts that are shared count as often as they are written, and a cycle is too deep. */
function copyOut(root: Node): Value {
  let values = 0;
  let characters = 0;
  const copy = (node: Node, depth: number): Value => {
    values += 1;
    if (values > DATASET_BOUNDS.values || characters > DATASET_BOUNDS.textChars)
      throw new DecodeError('a pickle that holds more than a row may when it is written out');
    if (depth > DATASET_BOUNDS.depth)
      throw new DecodeError(`a pickle nested more than ${DATASET_BOUNDS.depth} deep`);
    if (typeof node === 'string') characters += node.length;
    else if (node instanceof PythonBytes) characters += node.bytes.length;
    else if (node instanceof ListNode) return node.items.map((item) => copy(item, depth + 1));
    else if (node instanceof DictNode)
      return toDict(
        node.entries.map(([key, item]) => [copy(key, depth + 1), copy(item, depth + 1)]),
      );
    else if (isRawNumber(node) || isPythonValue(node)) characters += 1;
    return node;
  };
  return copy(root, 1);
}
