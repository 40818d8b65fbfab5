/** Has code judged before anybody asks. */
import { judgeNewest } from '../memory/code/doubts-of-memories';
import type { Project } from './open';

/** So that the first answers know what became of the code of the newest memories. @throws SvcError unavailable */
export function judgeAhead({ memory }: Project): Promise<void> {
  return judgeNewest(memory);
}
