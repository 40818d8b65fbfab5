import { doubtLookup } from '../../src/server/code/look-up-doubts';
import type { CodeIndex, LocatedSymbol, TouchKey } from '../../src/server/memory/code/touches';
import { type TestCode, testCode } from './code-index';
import type { MemoryTest } from './memory';

export const PATIENCE = 60_000;

export interface Slow {
  /** The files that each judging was about. */
  readonly judged: string[][];
  /** A judging ends only after this. */
  until: Promise<void>;
}

/** A code index that looks up doubts as a project does. */
export function withDoubts(
  wait: number | 'as an agent' = PATIENCE,
  whenLate?: () => void,
  aheadUntil?: AbortSignal,
): { code: TestCode & CodeIndex; slow: Slow } {
  const files = testCode();
  const slow: Slow = { judged: [], until: Promise.resolve() };
  const locate = async (keys: readonly TouchKey[]): Promise<readonly LocatedSymbol[]> => {
    slow.judged.push([...new Set(keys.map(({ file_path }) => file_path))]);
    await slow.until;
    return files.locate(keys);
  };
  return {
    code: {
      ...files,
      doubts: doubtLookup(
        { ...files, locate },
        { waitMs: wait === 'as an agent' ? undefined : wait, whenLate, aheadUntil },
      ),
    },
    slow,
  };
}

export const OPEN = { name: 'open', text: 'as it was', from: 1, to: 3 };

/** A decision. */
export async function store(memory: MemoryTest, content: string, ...entities: string[]): Promise<string> {
  const { node_id } = await memory.ok<{ node_id: string }>('memory_store', { content, kind: 'decision', entities });
  return node_id;
}

export async function lineOf(memory: MemoryTest, id: string, tool: string, input: object): Promise<string | undefined> {
  return (await memory.text(tool, input)).split('\n').find((one) => one.includes(`[${id}]`));
}
