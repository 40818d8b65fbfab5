/** Binds sections to symbols without a model. */
import { isEverydayWord } from '../base/everyday-word';
import type { Binding, BoundSymbol } from '../graph/bindings';
import { NO_PROVIDER } from '../llm/providers';
import type { Mention } from './mentions';

/** Binds without a model: unambiguous names in backticks, and links. */
const CONFIDENCE = { qualified: 0.95, plain: 0.9, word: 0.7 } as const;

export function obviousBindings(mentions: readonly Mention[]): Binding[] {
  const found = new Map<string, Binding>();
  for (const mention of mentions) {
    const { text, how, symbols } = mention;
    const [symbol, another] = symbols;
    if (how === 'text' || !symbol || another) continue;
    if (how === 'backticks' && isEverydayWord(text) && !isMeant(symbol, mention, mentions)) continue;
    const { file_path, code_type, name, hash } = symbol;
    const confidence = confidenceOf(text, how);
    const key = `${file_path}\n${code_type}\n${name}`;
    if ((found.get(key)?.confidence ?? 0) >= confidence) continue;
    const reason = how === 'link' ? 'the section links to it' : 'the section names it in backticks';
    found.set(key, { file_path, code_type, name, hash, confidence, reason, provider: NO_PROVIDER, model: '' });
  }
  return [...found.values()];
}

/** Folders and files of tests, as most languages call them. */
const IN_TESTS =
  /(?:^|\/)(?:tests?|__tests__|spec|testdata|fixtures)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)s?\.[^/]*$/i;

/**
 * Whether an everyday word is the name of a symbol: `auto` is rather a value than somebody's only method of that name, or
 * a helper of a test. Where the section speaks of something else in that file, it is.
 */
function isMeant({ name, file_path }: BoundSymbol, own: Mention, mentions: readonly Mention[]): boolean {
  const isInside = name.includes('.');
  if (!isInside && !IN_TESTS.test(file_path)) return true;
  return mentions.some(
    (one) => one !== own && !isEverydayWord(one.text) && one.symbols.some((symbol) => symbol.file_path === file_path),
  );
}

/** A single lower-case word in backticks may be a value, a command or an option as well. */
function confidenceOf(text: string, how: Mention['how']): number {
  if (how === 'link' || /[./#:]/.test(text)) return CONFIDENCE.qualified;
  return isEverydayWord(text) ? CONFIDENCE.word : CONFIDENCE.plain;
}
