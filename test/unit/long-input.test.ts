import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { invalidInput } from '../../src/server/base/errors';
import { refusal } from '../../src/server/cli/tool-command';
import { isNothingBetween } from '../../src/server/graph/decorations';
import { withoutLiterals } from '../../src/server/graph/doc-comment';
import { enclosingPath } from '../../src/server/graph/enclosing-path';
import { saysGenerated } from '../../src/server/graph/generated-mark';
import { languageOf } from '../../src/server/graph/language-of';
import { openManifests } from '../../src/server/graph/manifests';
import { withoutOpenEnd } from '../../src/server/graph/without-open-end';
import { isWorktree } from '../../src/server/graph/worktrees';
import { withoutLines } from '../../src/server/ingest/mentions';
import { NoAnswer } from '../../src/server/llm/provider';
import { readVerdicts } from '../../src/server/llm/read-verdicts';
import { fingerprint } from '../../src/server/memory/consolidation/fingerprint';
import { findSecret } from '../../src/server/secrets/find-secret';
import { memoryStore } from '../../src/server/tools/memory-store';
import { withCommandLine } from '../support/command-line';
import { removeFolder } from '../support/remove-folder';

// Long enough that whatever takes the square of it, or more, takes longer than a test may.
const LENGTH = 400_000;
const long = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length));

async function withFolder(files: Readonly<Record<string, string>>, work: (folder: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-long-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    work(folder);
  } finally {
    await removeFolder(folder);
  }
}

describe('a long input that is made to take long is read as fast as any', () => {
  const question = { document: 'a.md', heading: 'A', section: 'a', candidates: [] };
  it.each([
    ['line breaks', `\`\`\`json${long('\n')}`],
    ['line breaks before a fence that is none', `\`\`\`${long('\n \n')}\`\``],
    ['fences', long('```json\n')],
    ['backticks', `${long('`')}\n{`],
    ['spaces', `\`\`\`${long(' ')}x\n`],
    ['braces', long('{\n')],
  ])('by an answer of a model: %s', (_, text) => {
    expect(() => readVerdicts(text, question)).toThrow(NoAnswer);
  });

  it.each([
    ['package.json', long('\n'), undefined],
    ['package.json', `{${long(' \n\t')}"name": "deep"}`, 'deep'],
    ['package.json', long('{ "name" :\n'), undefined],
    ['go.mod', `module${long(' ')}`, undefined],
    ['go.mod', long('module '), 'module'],
    ['Cargo.toml', long('[package]\nname\n'), undefined],
    ['Cargo.toml', `[package]\n${long('name ')}`, undefined],
  ] as const)('by a %s', (kind, text, name) =>
    withFolder({ [kind]: text }, (folder) => {
      expect(openManifests(folder).above('a.ts', kind)?.name).toBe(name);
    }),
  );

  it('by a .git file', () =>
    withFolder({ 'tree/.git': `gitdir: ${long(' ')}x`, 'other/.git': `gitdir: x${long('\n')}x` }, (folder) => {
      expect(isWorktree(join(folder, 'tree'))).toBe(false);
      expect(isWorktree(join(folder, 'other'))).toBe(false);
    }));

  it.each([
    ['stars', long('*\n'), false],
    ['line breaks', long('\n'), false],
    ['hashes', long('#!'), false],
    ['beginnings', long('// '), false],
    ['the word', long('generated '), false],
    ['the mark, in a sentence', long('x @generated '), false],
    ['the mark, after many stars', `/*${long(' *\n')} * @generated`, true],
    ['the mark, after a word and many stars', `x${long('* !')}@generated`, false],
  ])('at the head of a source: %s', (_, head, generated) => {
    expect(saysGenerated(head)).toBe(generated);
  });

  it.each([
    ['comments', long('/**/'), true],
    ['comments before something else', `${long('/**/ ')}x`, false],
    ['lines of comments before something else', `${long('// # \n')}x`, false],
    ['a comment without an end', long('/*'), false],
    ['words', `${long('export ')}x`, false],
  ])('between a decorator and a definition: %s', (_, text, nothing) => {
    expect(isNothingBetween(text)).toBe(nothing);
  });

  it('by the header of a function of Python', () => {
    for (const text of [`"${long('\\')}`, long('\\"'), long(`"'`), `'${long('"')}`]) {
      expect(withoutLiterals(`def f(a=${text}`)).toMatch(/^def f\(a=/);
    }
    expect(withoutLiterals(`def f(a="${long('x')}", b='\\''): # "`)).toBe('def f(a=, b=): ');
  });

  it('by the first line of a script', () => {
    for (const text of [long('/'), long(' '), `env ${long('-S ')}`, `env ${long('A=1 ')}`, long('/a')]) {
      expect(languageOf('script', `#!${text}`)).toBeUndefined();
    }
    expect(languageOf('script', `#! /usr/bin/env -S A=1 python3 -u\n${long('x')}`)?.name).toBe('python');
  });

  it('by a place in a document', () => {
    expect(withoutLines(`a.ts${long(':1')}x`)).toBe(`a.ts${long(':1')}x`);
    expect(withoutLines(`a.ts${long(':1')}--:3-4`)).toBe(`a.ts${long(':1')}--`);
    expect(withoutLines(`a.ts${long(':1-2')}`)).toBe('a.ts');
  });

  it('by a signature', () => {
    const end = long('= => | -> ');
    expect(withoutOpenEnd(`f${end}`)).toBe('f');
    expect(withoutOpenEnd(`f${end};${end}`)).toBe(`f${end};`);
    expect(withoutOpenEnd(`f${long(' ')}x`)).toBe(`f${long(' ')}x`);
  });

  it('by a path of a module', () => {
    expect(enclosingPath(`${long('a')}!`)).toBe(`${long('a')}!`);
    expect(enclosingPath(`a::${long('b')}`)).toBe('a');
  });

  it.each(['!', '!a', '1!', '(', '- '])('by a memory of %j', (text) => {
    expect(fingerprint(long(text))).toHaveProperty('key');
    expect(fingerprint(long(`${text.repeat(20)} `))).toHaveProperty('key');
  });

  it.each([
    ...[
      'a',
      'A1',
      '\n',
      'x://a:',
      'x://a:b',
      '-eyJ',
      'eyJa.',
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----',
      'sk-a-',
      '-ghp_',
    ],
    ...[
      'password',
      'password=',
      'password is ',
      'password for a b ',
      'token ',
      '"token"',
      '-_key',
      'secret(',
      'secret|',
    ],
    ...[
      'Bearer ',
      'Basic ',
      'auth',
      'Cookie: a=',
      'mnemonic: abc abc ',
      'passphrase: "abc abcd ',
      'curl -u ',
      'mysql ',
    ],
    ...['login a', 'credentials ', 'AccountKey=', 'Password: string = '],
  ])('by the look for a secret: %j', (text) => {
    // As long as a memory may be.
    const longest = text.repeat(Math.ceil(99_000 / text.length));
    for (let i = 0; i < 20; i++) expect(findSecret(longest)).toBeUndefined();
    expect(findSecret(`password ${longest}!`)).toBeUndefined();
  });

  it('by what went wrong', () => {
    const shown = (problem: string) => refusal(invalidInput(problem, 'Do'), memoryStore);
    expect(shown(long('('))).toBe(`${long('(')}. Do.`);
    expect(shown(`${long(' The parameters of x')}.`)).toContain('The parameters of');
  });

  it('by a number on the command line', () =>
    withCommandLine(async (place) => {
      // No system hands on an argument that is much longer.
      const number = `${'1'.repeat(120_000)}!`;
      const { status, err } = await place.run(['store', 'x', '--kind', 'fact', '--confidence', number]);
      expect([status, err]).toEqual([2, expect.stringMatching(/^usage: --confidence is "1{100}/)]);
    }));
});
