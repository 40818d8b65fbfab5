/**
 * Asks a library as well: for imports and `doctor`, where a few milliseconds do not count. A single memory is looked at by our
 * own rules alone: of what was planted to measure them, the library found a quarter, and nothing that they do not find.
 */
import type { lintSource } from '@secretlint/core';
import type { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { seen } from '../base/text';
import { findSecret, mayHoldKnownForm, type Secret } from './find-secret';
import { isPlaceholder } from './looks-random';
import { placeIn } from './secret';

interface Library {
  readonly lintSource: typeof lintSource;
  readonly creator: typeof creator;
}

/** The library takes longer than the length for some texts, so it gets pieces, which overlap by the longest of its forms. */
const PIECE = 8_000;
const OVERLAP = 500;

/** By its rules; what has no row is a secret. */
const KINDS: readonly (readonly [rule: string, kind: string])[] = [
  ['aws', 'AWS key'],
  ['gcp', 'Google key'],
  ['privatekey', 'private key'],
  ['npm', 'npm token'],
  ['basicauth', 'password in an address'],
  ['database', 'password in an address'],
  ['slack', 'Slack token'],
  ['sendgrid', 'SendGrid key'],
  ['shopify', 'Shopify token'],
  ['github', 'GitHub token'],
  ['openai', 'OpenAI key'],
  ['anthropic', 'Anthropic key'],
  ['linear', 'Linear key'],
  ['1password', '1Password token'],
];

let loading: Promise<Library> | undefined;

/** Loaded when the first text needs it. */
function library(): Promise<Library> {
  loading ??= Promise.all([import('@secretlint/core'), import('@secretlint/secretlint-rule-preset-recommend')]).then(
    ([core, preset]) => ({ lintSource: core.lintSource, creator: preset.creator }),
  );
  return loading;
}

/** The first secret by our own rules, else by the library's. */
export async function findSecretWithLibrary(given: string): Promise<Secret | undefined> {
  const found = findSecret(given);
  if (found || !mayHoldKnownForm(given)) return found;
  const text = seen(given);
  const { lintSource, creator } = await library();
  for (let start = 0; start < text.length; start += PIECE - OVERLAP) {
    const content = text.slice(start, start + PIECE);
    const { messages } = await lintSource({
      source: { content, filePath: 'memory.txt', ext: '.txt', contentType: 'text' },
      options: { noPhysicFilePath: true, config: { rules: [{ id: 'recommended', rule: creator }] } },
    });
    for (const { ruleId, range } of messages) {
      const [at, end] = [start + range[0], start + range[1]];
      if (isPlaceholder(text.slice(at, end))) continue;
      const kind = KINDS.find(([rule]) => ruleId.includes(rule))?.[1] ?? 'secret';
      return { kind, at, end, place: placeIn(text, { at }) };
    }
  }
  return undefined;
}
