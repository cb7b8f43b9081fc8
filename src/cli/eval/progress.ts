/** How far an evaluation is, on stderr: a bar that is drawn anew in a terminal, a plain line now and then elsewhere. */
import type { Clock } from '../../lib/clock.ts';

export interface ProgressCounts {
  done: number;
  right: number;
  /** Without a reward. */
  unjudged: number;
  /** Found on file. */
  readonly skipped: number;
}

interface Target {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const BAR_CELLS = 24;
const DRAW_MS = 200;
const LINE_MS = 10_000;
/** Rates are of the last so many looks. */
const LOOKS = 50;

export class Progress implements Disposable {
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #total: number;
  readonly #looks: { readonly at: number; readonly done: number }[];
  #shownAt: number;

  /** `total`: lines there are, of which some may be blank. */
  constructor(target: Target, { clock, total }: { readonly clock: Clock; readonly total: number }) {
    this.#target = target;
    this.#clock = clock;
    this.#total = total;
    this.#shownAt = clock.now();
    this.#looks = [{ at: clock.now(), done: 0 }];
  }

  /** Shows the counts where it is time to. */
  show(counts: ProgressCounts): void {
    const now = this.#clock.now();
    if (now - this.#shownAt < (this.#target.isTTY === true ? DRAW_MS : LINE_MS)) return;
    this.#shownAt = now;
    this.#looks.push({ at: now, done: counts.done });
    if (this.#looks.length > LOOKS) this.#looks.shift();
    const [first] = this.#looks;
    const seconds = first === undefined ? 0 : (now - first.at) / 1000;
    const rate = seconds <= 0 ? 0 : (counts.done - (first?.done ?? 0)) / seconds;
    const text = describeProgress(counts, { total: this.#total, rate });
    if (this.#target.isTTY === true)
      this.#target.write(`\r\u001B[K${text.slice(0, (this.#target.columns ?? 80) - 1)}`);
    else this.#target.write(`${text}\n`);
  }

  [Symbol.dispose](): void {
    if (this.#target.isTTY === true) this.#target.write('\r\u001B[K');
  }
}

/** `[######------] 120 of 500, 80 right, 43.1/s, 0:09 left`. Pure. */
export function describeProgress(
  { done, right, unjudged, skipped }: ProgressCounts,
  { total, rate }: { readonly total: number; readonly rate: number },
): string {
  const at = Math.min(done + skipped, total);
  const cells = total === 0 ? BAR_CELLS : Math.floor((at / total) * BAR_CELLS);
  const bar = `[${'#'.repeat(cells)}${'-'.repeat(BAR_CELLS - cells)}]`;
  const parts = [
    `${bar} ${at} of ${total}`,
    `${right} right`,
    ...(unjudged === 0 ? [] : [`${unjudged} without a reward`]),
    `${rate.toFixed(1)}/s`,
    ...(rate > 0 ? [`${clockText((total - at) / rate)} left`] : []),
  ];
  return parts.join(', ');
}

function clockText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const two = (number: number): string => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
