import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { projectFiles, ROOT, read } from './project-files';

const documents = projectFiles().filter((path) => path.endsWith('.md') && !path.startsWith('test/'));
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);

describe('the documents', () => {
  it('link to files that are there', () => {
    const broken = documents.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
        .map((target) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('name only npm scripts that are there', () => {
    const named = documents.flatMap((path) =>
      [...read(path).matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)].map((match) => match[1] ?? ''),
    );
    expect([...new Set(named)].filter((name) => !scripts.includes(name))).toEqual([]);
    expect(named).toContain('start');
    expect(named).toContain('test');
  });

  it('list in the README exactly the tools that agents are offered', () => {
    const listed = [...read('README.md').matchAll(/^\| `(memory_\w+)`/gm)].map((match) => match[1]);
    const offered = MEMORY_TOOLS.filter((tool) => tool.audience !== 'human').map((tool) => tool.name);
    expect(listed).toEqual(offered);
  });

  it('draw the folders of the server as they are', () => {
    const folders = new Set(
      projectFiles('src/server')
        .map((path) => path.split('/')[2] ?? '')
        .filter((name) => !name.includes('.')),
    );
    const drawn = [...read('ARCHITECTURE.md').matchAll(/^ {2}([\w-]+)\/ {2,}/gm)].map((match) => match[1]);
    expect(drawn.sort()).toEqual([...folders].sort());
  });
});
