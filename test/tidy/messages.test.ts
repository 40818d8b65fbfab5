import { describe, expect, it } from 'vitest';
import { read, sourceFiles } from './project-files';

/** Of libraries that say in no other way what is wrong. */
const OTHERS_WORDS = ['src/server/cli/run-program.ts', 'src/server/db/driver-errors.ts'];

const WORDS = String.raw`\.(?:message|said|problem|remedy)\b`;
const TAKES_APART = [
  new RegExp(
    String.raw`${WORDS}[)!?]*\s*\??\.(?:match|matchAll|replace|replaceAll|search|split|startsWith|endsWith|includes|indexOf|slice|substring)\(`,
  ),
  new RegExp(String.raw`\.(?:test|exec)\([^()]*${WORDS}`),
  new RegExp(String.raw`${WORDS}\s*[!=]==?\s*['"\x60]`),
];

function takesApart(source: string): boolean {
  return TAKES_APART.some((pattern) => pattern.test(source));
}

describe('the words of an error are for people and agents: programs go by its code, its class and its fields', () => {
  it('in all sources', () => {
    const files = sourceFiles().filter((file) => !OTHERS_WORDS.includes(file));
    expect(files.filter((file) => takesApart(read(file)))).toEqual([]);
  });

  it.each([
    "error.message.startsWith('conflict')",
    'answer.said\n    .replace(/^x/, "")',
    '/no space/.test(error.message)',
    "refused.problem === 'It is closed'",
    "(error as Error).message.split(': ')",
  ])('as %j would not be', (source) => expect(takesApart(source)).toBe(true));

  it('and what libraries say is looked at in two places', () => {
    for (const file of OTHERS_WORDS) expect(takesApart(read(file))).toBe(true);
  });
});
