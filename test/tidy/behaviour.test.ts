/** That what is cited of the rules, in sources and documents, is there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE, projectFiles, ROOT, read } from './project-files';

const PAGE = 'docs/behaviour.md';
const OWN = 'test/tidy/behaviour.test.ts';
const sources = projectFiles().filter((path) => (CODE.test(path) || path.endsWith('.scm')) && path !== OWN);
const documents = projectFiles().filter((path) => path.endsWith('.md') && !path.startsWith('test/'));

/** Files of the projects of others, which the sources speak of as well. */
const OF_OTHERS: ReadonlySet<string> = new Set(['AGENTS.md']);

describe('the page of the rules', () => {
  it('has each heading once', () => {
    const headings = headingsOf(PAGE);
    expect(headings.filter((heading, i) => headings.indexOf(heading) !== i)).toEqual([]);
  });

  it('has every heading that a source names, and is never named without one', () => {
    const headings = new Set(headingsOf(PAGE));
    const cited = sources.flatMap((path) =>
      [...onOneLine(read(path)).matchAll(/docs\/behaviour\.md(?:, "([^"]+)")?/g)].map(([, heading]) => ({
        path,
        heading,
      })),
    );
    expect(cited.filter(({ heading }) => heading === undefined || !headings.has(heading))).toEqual([]);
    expect(cited.length).toBeGreaterThan(10);
  });
});

describe('what is cited', () => {
  it('is a document of this repository', () => {
    const missing = sources.flatMap((path) =>
      commentsIn(read(path))
        .flatMap((comment) => [...comment.matchAll(/(?<![\w./-])[\w./-]*\w\.md\b/g)].map(([name]) => name))
        .filter((name) => !OF_OTHERS.has(name) && !existsSync(join(ROOT, name)))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('is no specification that nobody here can read', () => {
    const named = [...sources, ...documents].flatMap((path) => {
      const lines = path.endsWith('.md') ? read(path).split('\n') : commentsIn(read(path));
      return lines
        .filter((line) => /\bspecifications?\b|\bas specified\b/i.test(line))
        .map((line) => `${path}: ${line}`);
    });
    expect(named.filter((line) => !line.startsWith('CHANGELOG.md'))).toEqual([]);
  });

  it('is a heading that is there, where documents link to one', () => {
    const broken = documents.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)]
        .map(([, target = '', anchor = '']) => ({ target: target === '' ? path : join(dirname(path), target), anchor }))
        .filter(({ target, anchor }) => !headingsOf(target).map(anchorOf).includes(anchor))
        .map(({ target, anchor }) => `${path} → ${target}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });
});

function headingsOf(path: string): string[] {
  return [...read(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** A citation may go over the end of a line of a comment. */
function onOneLine(text: string): string {
  return text.replace(/\n\s*(?:\*|\/\/|;)?\s*/g, ' ');
}

/** Lines that are comments, or end with one. */
function commentsIn(text: string): string[] {
  return text.split('\n').filter((line) => /^\s*(?:\/\/|\/\*|\*|;)|\s\/\/ /.test(line));
}
