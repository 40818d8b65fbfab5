import { describe, expect, it } from 'vitest';
import { linesMatching, sourceFiles } from './project-files';

const outside = (...allowed: readonly string[]): string[] =>
  sourceFiles().filter((path) => !allowed.some((start) => path.startsWith(start)));

describe('what a process has', () => {
  it('is read in main, and in one file of the extension: environment, arguments, working directory', () => {
    const reads = /\bprocess\s*(?:\.|\?\.|\[\s*['"])\s*(?:env|argv|cwd|chdir|exit)\b|\bhomedir\(\)/;
    expect(linesMatching(outside('src/server/main/', 'src/extension/environment.ts'), reads)).toEqual([]);
  });

  it('is not smuggled in by another name', () => {
    const imports =
      /from '(?:node:)?process'|\{[^}]*\b(?:env|argv|cwd)\b[^}]*\}\s*=\s*process\b|\bglobalThis\.process\b/;
    expect(linesMatching(sourceFiles(), imports)).toEqual([]);
  });

  it('is silent on standard output outside the MCP transport and the output of the command line', () => {
    const writes = /\bprocess\.stdout\b|\bconsole\.(?:log|info|debug|table|dir|group)\b/;
    const doors = ['src/server/mcp/stdio-transport.ts', 'src/server/cli/output.ts', 'src/server/main/'];
    expect(linesMatching(outside(...doors), writes)).toEqual([]);
    // main hands the stream to one of the two, and writes nothing itself
    const main = sourceFiles().filter((path) => path.startsWith('src/server/main/'));
    expect(linesMatching(main, /\bstdout\.write\b|\bconsole\./)).toEqual([]);
  });

  it("starts Git in one place, where the programs of a repository are off, our own programs in another, and a person's own command in a third", () => {
    const starters = ['src/server/git/run-git.ts', 'src/extension/programs.ts', 'src/server/main/persons-command.ts'];
    expect(linesMatching(outside(...starters), /\bchild_process\b/)).toEqual([]);
    expect(linesMatching(starters, /\bshell:/)).toEqual([]);
  });
});
