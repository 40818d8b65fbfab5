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
    if (how === 'backticks' && isEverydayWord(text) && !isMeant(symbol, mentions)) continue;
    if (how === 'backticks' && isOnVariable(text, symbol) && !speaksBesides(symbol, mentions)) continue;
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
function isMeant(symbol: BoundSymbol, mentions: readonly Mention[]): boolean {
  const isInside = symbol.name.includes('.');
  return (!isInside && !IN_TESTS.test(symbol.file_path)) || speaksBesides(symbol, mentions);
}

/** Whether the section speaks of something else in the file of a symbol. */
function speaksBesides({ file_path, name }: BoundSymbol, mentions: readonly Mention[]): boolean {
  return mentions.some(
    ({ text, symbols }) =>
      !isEverydayWord(text) && symbols.some((one) => one.file_path === file_path && one.name !== name),
  );
}

/** `mailer.send`: a method of something else than `res`, of which nothing may be there. `store` is like `MemoryStore`. */
function isOnVariable(text: string, { name }: BoundSymbol): boolean {
  const [, variable = ''] = /^([\w$]+)\.[\w$]+(?:\([^()]*\)?)?$/.exec(text.trim()) ?? [];
  const owner = name.split('.').slice(0, -1).join('.').toLowerCase();
  const called = variable.toLowerCase();
  return called !== '' && owner !== '' && !owner.includes(called) && !called.includes(owner);
}

/** A single lower-case word in backticks may be a value, a command or an option as well. */
function confidenceOf(text: string, how: Mention['how']): number {
  if (how === 'link' || /[./#:]/.test(text)) return CONFIDENCE.qualified;
  return isEverydayWord(text) ? CONFIDENCE.word : CONFIDENCE.plain;
}
