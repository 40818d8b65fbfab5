import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Section, sectionsOf } from '../../src/server/ingest/sections';
import { ROOT } from './servers';

/** A section of the labelled documents with the symbols that it speaks of, chosen by hand. */
export interface LabelledSection {
  readonly document: string;
  readonly section: Section;
  /** `<path>#<qualified name>`, relative to the root; none for a section about no symbol. */
  readonly symbols: readonly string[];
}

const FOLDER = 'test/bench/data/ingest';
const SOURCES = 'src/server';
const LABEL = /^<!-- code: (.*) -->$/gm;

/** The documents speak of this project's own server. Their labels stand in comments, which nobody else gets to see. */
export function labelledSections(): LabelledSection[] {
  return readdirSync(join(ROOT, FOLDER))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((name) => {
      const document = `${FOLDER}/${name}`;
      const text = readFileSync(join(ROOT, document), 'utf8');
      const labels = [...text.matchAll(LABEL)].map(([, listed = '']) =>
        listed === '-' ? [] : listed.split(', ').map((one) => posix.join(SOURCES, one)),
      );
      // A heading right under another one has no section of its own, and no label.
      const sections = sectionsOf(text.replace(LABEL, ''), name);
      if (sections.length !== labels.length)
        throw new Error(`${document}: ${sections.length} sections, ${labels.length} labels`);
      return sections.map((section, i) => ({ document, section, symbols: labels[i] ?? [] }));
    });
}
