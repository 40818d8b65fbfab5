/** Binds sections to symbols without a model. */
import type { Binding } from '../graph/bindings';
import { NO_PROVIDER } from '../llm/providers';
import type { Mention } from './mentions';

/** Binds without a model: unambiguous names in backticks, and links. */
const CONFIDENCE = { qualified: 0.95, plain: 0.9, word: 0.7 } as const;

export function obviousBindings(mentions: readonly Mention[]): Binding[] {
  const found = new Map<string, Binding>();
  for (const { text, how, symbols } of mentions) {
    const [symbol, another] = symbols;
    if (how === 'text' || !symbol || another) continue;
    const { file_path, code_type, name, hash } = symbol;
    const confidence = confidenceOf(text, how);
    const key = `${file_path}\n${code_type}\n${name}`;
    if ((found.get(key)?.confidence ?? 0) >= confidence) continue;
    const reason = how === 'link' ? 'the section links to it' : 'the section names it in backticks';
    found.set(key, { file_path, code_type, name, hash, confidence, reason, provider: NO_PROVIDER, model: '' });
  }
  return [...found.values()];
}

/** A single lower-case word in backticks may be a value, a command or an option as well. */
function confidenceOf(text: string, how: Mention['how']): number {
  if (how === 'link' || /[./#:]/.test(text)) return CONFIDENCE.qualified;
  return /^[a-z]+$/.test(text) ? CONFIDENCE.word : CONFIDENCE.plain;
}
