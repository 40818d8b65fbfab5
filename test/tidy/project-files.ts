import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..', '..');

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.svc', '.cache', '.vscode-test']);

/** Paths relative to the project, with forward slashes, of all files that are written by people. */
export function projectFiles(under = ''): string[] {
  return readdirSync(join(ROOT, under), { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .flatMap((entry) => {
      const path = under === '' ? entry.name : `${under}/${entry.name}`;
      return entry.isDirectory() ? projectFiles(path) : [path];
    })
    .sort();
}

export const CODE = /\.(?:ts|mts|mjs|js)$/;

export function sourceFiles(): string[] {
  return projectFiles('src').filter((path) => path.endsWith('.ts'));
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Each line that matches, as `path:line: text`, so that a failing test says where to look. */
export function linesMatching(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}
