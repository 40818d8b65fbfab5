import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHOICE_ORDER, KINDS, LENS_ORDER, MEMORY_KINDS, NODE_KINDS, SECTION_ORDER } from '../../src/kinds/kinds';
import { ANY_MEMORY } from '../../src/server/memory/node-kinds';
import { read } from './project-files';

interface KindsSetting {
  readonly items: { readonly enum: readonly string[]; readonly enumDescriptions: readonly string[] };
  readonly default: readonly string[];
}

const manifest = JSON.parse(read('package.json')) as {
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, KindsSetting>> } };
};

/** On one line, as far as it was wrapped. */
const flowing = (path: string): string => read(path).replace(/\s+/g, ' ');
const headings = (kinds: readonly (keyof typeof KINDS)[]): string =>
  kinds.map((kind) => KINDS[kind].heading).join(', ');

/** What the compiler cannot ask of a new kind. CONTRIBUTING.md, "Add a kind", says what each of these wants. */
describe('the table of kinds', () => {
  it('gives each kind a prefix, a section and a place in lenses of its own', () => {
    for (const column of ['prefix', 'heading', 'section'] as const) {
      expect(new Set(NODE_KINDS.map((kind) => KINDS[kind][column])).size, column).toBe(NODE_KINDS.length);
    }
    expect(new Set(MEMORY_KINDS.map((kind) => KINDS[kind].lens)).size).toBe(MEMORY_KINDS.length);
  });

  it.each([
    ['agentMemory.codeLens.kinds', ['decision']],
    ['agentMemory.hover.kinds', MEMORY_KINDS],
  ])('is what %s offers', (name, standard) => {
    const setting = manifest.contributes.configuration.properties[name];
    expect(setting?.items.enum).toEqual(MEMORY_KINDS);
    expect(setting?.items.enumDescriptions).toEqual(MEMORY_KINDS.map((kind) => `%kind.${kind}%`));
    expect(setting?.default).toEqual(standard);
  });

  it('has a sentence about each memory in package.nls.json', () => {
    const keys = Object.keys(JSON.parse(read('package.nls.json')) as object);
    const described = keys.filter((key) => key.startsWith('kind.')).map((key) => key.slice('kind.'.length));
    expect(described.sort()).toEqual(MEMORY_KINDS.toSorted());
  });

  it('has a colour for each kind in the pages', () => {
    const style = read('src/webview/style.css');
    const named = (pattern: RegExp): string[] => [...style.matchAll(pattern)].map(([, kind = '']) => kind).sort();
    const drawn = [...NODE_KINDS, 'symbol'].sort();
    expect(named(/^ {2}--kind-(\w+): /gm)).toEqual(drawn);
    expect(named(/^\.kind-(\w+) \{\n {2}--kind: var\(--kind-\1\);/gm)).toEqual(drawn);
  });

  it('is what the documents say', () => {
    const standing = CHOICE_ORDER.filter((kind) => KINDS[kind].standing);
    const said: Readonly<Record<string, readonly string[]>> = {
      [join('docs', 'behaviour.md')]: [
        ...NODE_KINDS.map((kind) => `\`${kind}\` (\`${KINDS[kind].prefix}…\`)`),
        `Sections group what was taken: ${headings(SECTION_ORDER)}.`,
        `It shows them in this order: ${headings(LENS_ORDER).toLowerCase()}.`,
        `asks for the briefing: ${headings(standing).toLowerCase()}, and outcomes of sessions`,
      ],
      'README.md': [ANY_MEMORY],
      'CONTRIBUTING.md': [ANY_MEMORY],
    };
    const missing = Object.entries(said).flatMap(([path, sentences]) => {
      const text = flowing(path);
      return sentences.filter((sentence) => !text.includes(sentence)).map((sentence) => `${path}: ${sentence}`);
    });
    expect(missing).toEqual([]);
  });
});
