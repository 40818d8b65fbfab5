import type { Verdict } from '../../protocol/requests';
import { cut, oneLine } from '../base/text';

const MAX_NAME = 120;

/** What became of a symbol, for people. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  unchanged: 'as it was',
  moved: 'moved',
  changed: 'changed',
  gone: 'gone',
};

/** A symbol's or file's name inside a sentence of ours: names come from files, which anybody may have written. */
export function shownName(name: string): string {
  return cut(oneLine(name), MAX_NAME);
}

interface Change {
  readonly verdict: Verdict;
  readonly name: string;
  readonly code_type: string;
  readonly file_path: string;
  readonly now: { readonly file_path: string; readonly name: string } | undefined;
}

/** `function load changed`, `file a.ts moved to src/a.ts` */
export function changeSentence({ verdict, name, code_type, file_path, now }: Change): string {
  const subject = `${shownName(code_type)} ${shownName(name)}`;
  if (verdict === 'gone') return `${subject} is gone`;
  if (verdict !== 'moved' || !now) return `${subject} ${VERDICT_WORDS[verdict]}`;
  const renamed = now.name === name ? '' : ` is called ${shownName(now.name)} now`;
  const elsewhere = now.file_path === file_path ? '' : ` moved to ${shownName(now.file_path)}`;
  return `${subject}${elsewhere}${elsewhere && renamed ? ' and' : ''}${renamed || (elsewhere ? '' : ' moved')}`;
}
