/** What `memory_store` says of memories that are like the new one. */
import * as z from 'zod/v4';
import { RELATIONS, type Similar } from '../memory/similar/similar';

export const SIMILAR: z.ZodType<readonly Similar[]> = z
  .array(z.object({ node_id: z.string(), relation: z.enum(RELATIONS) }))
  .readonly();

/** Adds them to an answer, where there are any and nothing says the same. */
export function withSimilar<
  Answer extends { readonly node_id: string; readonly similar?: readonly Similar[] | undefined },
>(answer: Answer, found: readonly Similar[]): Answer {
  // They are looked for while the memory is stored, and may be found when it is there.
  const others = found.filter(({ node_id }) => node_id !== answer.node_id);
  return answer.similar || others.length === 0 ? answer : { ...answer, similar: others };
}
