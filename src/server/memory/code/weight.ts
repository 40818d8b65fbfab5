/** Which place of a memory is told, where one stands for several. */
import { severity, type Verdict } from './touches';

/** For comparing: the worse, the greater; a symbol says more than the whole file that it is in. */
export function weight(verdict: Verdict, code_type: string): number {
  return 2 * severity(verdict) + Number(code_type !== 'file');
}
