import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { CODE, linesMatching, projectFiles, ROOT, read } from './project-files';

const LONGEST_FILE = 350;
const FIRST_LINE = /^(?:\/\*\*? ?\S|\/\*\*\n \* \S|\/\/ \S)/;
const code = projectFiles().filter((path) => CODE.test(path));
const text = projectFiles().filter((path) => /\.(?:ts|mts|mjs|json|md|yaml|yml)$|(?:^|\/)run$/.test(path));

const literally = (path: string): string => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('the texts of the project', () => {
  it('hold no file that is too long to read at once', () => {
    const long = code.map((path) => ({ path, lines: read(path).split('\n').length - 1 }));
    expect(long.filter(({ lines }) => lines > LONGEST_FILE)).toEqual([]);
  });

  it('say at the top of each file what it is for', () => {
    const sources = projectFiles('src').filter((path) => CODE.test(path));
    expect(sources.length).toBeGreaterThan(400);
    expect(sources.filter((path) => !FIRST_LINE.test(read(path)))).toEqual([]);
  });

  it('say in the first line of each script why it is there', () => {
    const scripts = projectFiles('scripts').filter((path) => CODE.test(path));
    expect(scripts.length).toBeGreaterThan(20);
    expect(scripts.filter((path) => !/^\/\/ \w/.test(read(path)))).toEqual([]);
  });

  it('name no folder of the machine they were written on', () => {
    const here = new RegExp(`(?<![\\w.])(?:${[ROOT, homedir()].map(literally).join('|')})(?:/|\\b)`);
    expect(linesMatching(text, here)).toEqual([]);
  });

  it('leave no test out and none alone', () => {
    const tests = code.filter((path) => path.startsWith('test/'));
    expect(
      linesMatching(tests, /\b(?:it|test|describe|suite)\.(?:only|skip|todo|fails)\b|\bx(?:it|describe)\(/),
    ).toEqual([]);
  });

  it('postpone nothing', () => {
    const marks = /\b(?:T[O]DO|F[I]XME|X[X]X)\b/;
    expect(linesMatching(code, marks)).toEqual([]);
  });

  it('say nothing against the type checker without a reason', () => {
    expect(linesMatching(code, /@ts-(?:ign[o]re|noch[e]ck)/)).toEqual([]);
    expect(linesMatching(code, /@ts-expect-[e]rror\s*$/)).toEqual([]);
  });
});
