import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL_LANGUAGES, LANGUAGES } from '../../src/server/graph/languages';
import { ROOT, read } from './project-files';

/** What the compiler cannot ask of a new language. CONTRIBUTING.md, "Add a language", says what each of these wants. */
describe('the table of languages', () => {
  it('names each by its key, and gives no two the same ending, file or program', () => {
    expect(ALL_LANGUAGES.map((one) => one.name)).toEqual(Object.keys(LANGUAGES));
    for (const column of ['endings', 'fileNames'] as const) {
      const all = ALL_LANGUAGES.flatMap((one) => one[column]);
      expect(all).toEqual([...new Set(all)]);
    }
  });

  it('writes only endings in imports that files of the language have', () => {
    for (const { endings, writtenEndings } of ALL_LANGUAGES)
      expect(endings).toEqual(expect.arrayContaining([...writtenEndings]));
  });

  it('calls words for a parent own ones, too', () => {
    for (const { own, parent } of ALL_LANGUAGES) expect(own).toEqual(expect.arrayContaining([...parent]));
  });

  it('names a folder with all queries for each', () => {
    const queries = ALL_LANGUAGES.flatMap((one) =>
      ['definitions', 'references', 'signatures', 'text'].map((what) => `queries/${one.queries}/${what}.scm`),
    );
    expect(queries.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('is what the README lists', () => {
    const titles = [...new Set(ALL_LANGUAGES.map((one) => one.title))];
    const listed = /The graph supports ([^.]+)\./.exec(read('README.md').replace(/\s+/g, ' '))?.[1];
    expect(listed).toBe(`${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`);
  });
});
