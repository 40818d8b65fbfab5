/** How long one source may keep a thread busy, and how much memory its tree may take. */

/** Why a source could not be taken apart, in the words of the summary. */
export const PARSE_FAILURES = [
  'takes too long',
  'takes too long after others',
  'needs too much memory',
  'cannot be parsed',
] as const;
export type ParseFailure = (typeof PARSE_FAILURES)[number];

export function isParseFailure(reason: string): reason is ParseFailure {
  return PARSE_FAILURES.some((one) => one === reason);
}

/** Whether it was left out for the time it takes. */
export function isTooSlow(reason: ParseFailure): boolean {
  return reason === 'takes too long' || reason === 'takes too long after others';
}

/** What files that are left out have cost a run so far: milliseconds of a processor, shared by its threads. */
export type LostTime = Int32Array;

/** After this much a run has less patience, or a folder made of such files would keep it busy for hours. */
const MOST_LOST_MS = 10_000;

export function noTimeLost(): LostTime {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** @param ms of a processor */
export function loseTime(lost: LostTime, ms: number): void {
  Atomics.add(lost, 0, Math.round(ms));
}

/** For another run. */
export function forgetLostTime(lost: LostTime): void {
  Atomics.store(lost, 0, 0);
}

/** Whether a file may now take little more than files of its size do that people write. */
export function isHasty(lost: LostTime | undefined): boolean {
  return lost !== undefined && Atomics.load(lost, 0) >= MOST_LOST_MS;
}

/** A source could not be parsed, so its symbols are not known. */
export class LeftOut extends Error {
  constructor(readonly reason: ParseFailure) {
    super(reason);
  }
}

/** Of the thread's own time, so that a machine with much to do leaves out nothing else than an idle one. */
const SOURCE_MS = 2_000;
/** The same after much time was lost. */
const HASTY_SOURCE_MS = 200;
/** The largest sources that people write take less than 1 µs a character. */
const CHARACTER_MS = 2 / 1_000;
/** Of WebAssembly. Those sources take less than a third of it. */
const MOST_MEMORY = 160 * 1024 * 1024;
/** Asking what time it is takes as long as this many steps of what is limited. */
const STEPS = 64;

export interface ParseLimit {
  /** From now on time counts: what is loaded before that is not the source's fault. @param counted of the parser, once */
  begin(counted?: WebAssembly.Memory): void;
  /** Why it is over; undefined while it is not. */
  over(): ParseFailure | undefined;
  /** For many small steps. @throws LeftOut when it is over */
  check(): void;
}

/** @param length of the source, in characters */
export function parseLimit(length: number, lost?: LostTime): ParseLimit {
  const hasty = isHasty(lost);
  const most = (hasty ? HASTY_SOURCE_MS : SOURCE_MS) + length * CHARACTER_MS;
  let memory: WebAssembly.Memory | undefined;
  let began = performance.now();
  let used = threadTime();
  let steps = 0;
  const over = (): ParseFailure | undefined => {
    if (memory && memory.buffer.byteLength > MOST_MEMORY) return 'needs too much memory';
    // What the clock says is cheaper to ask, and never less.
    if (performance.now() - began < most) return undefined;
    if (threadTime() - used < most) return undefined;
    return hasty ? 'takes too long after others' : 'takes too long';
  };
  return {
    begin(counted) {
      memory ??= counted;
      began = performance.now();
      used = threadTime();
    },
    over,
    check() {
      steps += 1;
      if (steps % STEPS > 0) return;
      const reason = over();
      if (reason) throw new LeftOut(reason);
    },
  };
}

/** That of this thread, in milliseconds; where Node cannot tell, that of all threads. */
export function threadTime(): number {
  return process.threadCpuUsage ? milliseconds(process.threadCpuUsage()) : processTime();
}

/** How long all threads of this process have kept a processor busy, in milliseconds. */
export function processTime(): number {
  return milliseconds(process.cpuUsage());
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}
