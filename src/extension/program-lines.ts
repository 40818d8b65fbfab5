/** Reads what our programs write to standard error. */
import type { ProgramLine } from '../protocol/program-lines';

/** A line of ours; undefined for one that something else wrote, such as Node. */
export function readProgramLine(line: string): ProgramLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { type, code, message, text, percent } = JSON.parse(line) as Record<string, unknown>;
    if (type === 'error' && typeof code === 'string' && typeof message === 'string') return { type, code, message };
    if (typeof text !== 'string') return undefined;
    if (type === 'progress') return { type, text, ...(typeof percent === 'number' ? { percent } : {}) };
    return type === 'note' ? { type, text } : undefined;
  } catch {
    return undefined;
  }
}
