/** Reports the ignore files that could not be read. */
import { counted } from '../base/counted';
import { oneLine } from '../base/text';

const SHOWN_RULES = 10;

/** These are always reported: the files that they would leave out are read. */
export function describeUnreadRules(rules: readonly { readonly path: string; readonly reason: string }[]): string[] {
  const more = rules.length - SHOWN_RULES;
  return [
    ...rules.slice(0, SHOWN_RULES).map(({ path, reason }) => `The rules in ${oneLine(path)} do not count: ${reason}.`),
    ...(more > 0 ? [`… nor do those in ${counted(more, 'file')} more; --json names them.`] : []),
  ];
}
