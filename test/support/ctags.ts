import { spawnSync } from 'node:child_process';

/** A definition as universal-ctags reports it. */
export interface Tag {
  readonly name: string;
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly kind: string;
}

const MOST_OUTPUT = 500_000_000;

/** The functions, methods, classes and the like that universal-ctags finds. @param kinds letters, see `ctags --list-kinds` */
export function ctags(language: string, kinds: string, files: readonly string[]): Tag[] {
  const { stdout, status, stderr } = spawnSync(
    'ctags',
    [
      ...['--options=NONE', '--output-format=json', '--fields=NFnK', `--languages=${language}`],
      ...[`--kinds-${language}=${kinds}`, '-L', '-', '-f', '-'],
    ],
    { input: files.join('\n'), maxBuffer: MOST_OUTPUT, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`ctags ended with ${status}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"_type": "tag"'))
    .map((line) => JSON.parse(line) as Tag);
}
