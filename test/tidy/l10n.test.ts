import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUNDLE, bundleText } from '../../scripts/l10n.mjs';
import { ROOT } from './project-files';

type Texts = Readonly<Record<string, string>>;

const textsIn = (path: string): Texts => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Texts;

/** Each pair: the English texts, and a translation of them. */
const TRANSLATIONS = [
  ...readdirSync(ROOT)
    .filter((name) => /^package\.nls\.\w+\.json$/.test(name))
    .map((name) => ['package.nls.json', name] as const),
  ...readdirSync(join(ROOT, 'l10n'))
    .filter((name) => /^bundle\.l10n\.\w+\.json$/.test(name))
    .map((name) => ['l10n/bundle.l10n.json', `l10n/${name}`] as const),
];

/** `{0}`, commands behind links, code in backticks and icons: what a translation must not lose or invent. */
const marks = (text: string): string[] => (text.match(/\{\d\}|\(command:[\w.]+\)|`[^`]+`|\$\([\w-]+\)/g) ?? []).sort();

describe('the texts that people read in the editor', () => {
  it('are all in l10n/bundle.l10n.json; "npm run l10n" gathers them again', async () => {
    expect(readFileSync(BUNDLE, 'utf8')).toBe(await bundleText());
    // All sources are parsed, which takes ten seconds of a processor.
  }, 120_000);

  it.each(TRANSLATIONS)('of %s are what %s translates, none left over and none missing', (english, translation) => {
    const [wanted, translated] = [Object.keys(textsIn(english)), Object.keys(textsIn(translation))];
    expect(translated.sort()).toEqual(wanted.sort());
  });

  it.each(TRANSLATIONS)('of %s keep in %s what stands for a value, a command or code', (english, translation) => {
    const translated = textsIn(translation);
    const lost = Object.entries(textsIn(english)).filter(
      ([key, text]) => translated[key] !== undefined && marks(text).join() !== marks(translated[key]).join(),
    );
    expect(lost.map(([key]) => `${key} → ${translated[key]}`)).toEqual([]);
  });
});
