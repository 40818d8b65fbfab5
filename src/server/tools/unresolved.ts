/** What tools that store say of names that mean no code. */
import * as z from 'zod/v4';
import type { Unresolved } from '../memory/code/touches';

export const UNRESOLVED = z.array(z.object({ name: z.string(), nearest: z.array(z.string()).readonly() })).readonly();

/** Adds them to an answer, where there are any. */
export function withUnresolved<Answer extends object>(
  answer: Answer,
  unresolved: readonly Unresolved[],
): Answer & { readonly unresolved?: readonly Unresolved[] } {
  return unresolved.length === 0 ? answer : { ...answer, unresolved };
}
