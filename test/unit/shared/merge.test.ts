import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MEMORY_KINDS } from '../../../src/kinds/kinds';
import { suffixAt } from '../../../src/server/base/ids';
import { editFields } from '../../../src/server/shared/edit-fields';
import type { KnownFiles } from '../../../src/server/shared/layer-file';
import { readMemory } from '../../../src/server/shared/read-memory';
import { superseding } from '../../../src/server/shared/supersede';
import { fileNameOf, type WrittenMemory, writeMemory } from '../../../src/server/shared/write-memory';
import { seededRandom } from '../../support/random';

/** Pairs of branches; `PAIRS=1000` tries more. */
const PAIRS = Number(process.env.PAIRS ?? 60);

type Files = ReadonlyMap<string, string>;

const WORDS = [
  'cache',
  'Store',
  '# no heading',
  '* an item',
  '---',
  '```',
  'x: [',
  '"quoted"',
  'über',
  '\\# kept',

  '🙂',
];

function memoryIn(random: (below: number) => number, number: number): WrittenMemory {
  const kind = MEMORY_KINDS[random(MEMORY_KINDS.length)] ?? 'fact';
  const words = (most: number): string =>
    Array.from({ length: 1 + random(most) }, () => WORDS[random(WORDS.length)]).join(random(3) === 0 ? '\n' : ' ');
  const text = (most: number): string => {
    const said = words(most);
    // In code nothing is escaped: such a memory is not shared.
    return random(5) === 0 && !said.includes('```') ? `${said}\n<<<<<<< one\n=======\n>>>>>>> other` : said;
  };
  return {
    ...{
      id: `${kind === 'preference' ? 'pr' : kind.charAt(0)}_${suffixAt(number * 7919)}`,
      kind,
      content: `m${number} ${text(6)}`,
    },
    rationale: random(2) === 0 ? undefined : `r ${text(4)}`,
    alternatives_rejected: random(2) === 0 ? [] : [`a ${text(3)}`, `b ${text(3)}`],
    confidence: random(10) / 10,
    valid_from: new Date(Date.UTC(2026, random(12), 1 + random(28), random(24))).toISOString(),
    ...{ valid_until: undefined, recorded_at: undefined, standing: random(2) === 0 ? 'stored' : 'confirmed' },
    about: Array.from({ length: random(4) }, (_, i) =>
      `${WORDS[random(2)]} ${i} ${random(3) === 0 ? ': [x]' : ''}`.trim(),
    ),
    links:
      random(2) === 0
        ? []
        : [{ file_path: 'src/a.ts', code_type: 'function', name: 'open', hash: 'h', commit: null, confirmed: [] }],
    ...{
      supersedes: [],
      superseded_by: [],
      beside: random(3) === 0 ? ['d_other'] : [],
      origin: { kind: 'agent', name: 'test' },
    },
  };
}

/** A repository in which branches are merged without a working tree. */
class Branches {
  private readonly folder = mkdtempSync(join(tmpdir(), 'merged-'));

  constructor() {
    this.git(['init', '--quiet', '--bare']);
  }

  /** @returns the files of Git's own merge, or what it says of a conflict */
  merge(base: Files, one: Files, other: Files): { readonly files: Files; readonly conflict: string | undefined } {
    const commit = (branch: string, files: Files, from?: string): string =>
      [
        `commit refs/heads/${branch}`,
        'committer a <a@b> 0 +0000',
        'data 0',
        ...(from === undefined ? [] : [`from refs/heads/${from}`]),
        'deleteall',
        ...[...files].flatMap(([path, text]) => [
          `M 644 inline .svc/memories/${path}`,
          `data ${Buffer.byteLength(text)}`,
          text,
        ]),
        '',
      ].join('\n');
    const commits = [commit('base', base), commit('one', one, 'base'), commit('other', other, 'base')].join('\n');
    this.git(['fast-import', '--quiet', '--force'], `reset refs/heads/base\n${commits}`);
    const { status, stdout } = this.run(['merge-tree', '--write-tree', 'one', 'other']);
    const [tree = '', ...rest] = stdout.split('\n');
    const archive = execFileSync('git', ['archive', '--format=tar', tree], { cwd: this.folder });
    const out = mkdtempSync(join(this.folder, 'out-'));
    execFileSync('tar', ['-x', '-C', out], { input: archive });
    const memories = join(out, '.svc', 'memories');
    const names = existsSync(memories) ? readdirSync(memories) : [];
    return {
      files: new Map(names.map((name) => [name, readFileSync(join(memories, name), 'utf8')])),
      conflict: status === 0 ? undefined : rest.join('\n'),
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private git(args: readonly string[], input = ''): void {
    execFileSync('git', args, { cwd: this.folder, input });
  }

  private run(args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
    return spawnSync('git', args, { cwd: this.folder, encoding: 'utf8' });
  }
}

/** What is known from files, in whatever order they are read: each memory, and until when it holds. */
function knownFrom(files: readonly (readonly [string, string])[]): unknown[] {
  const known: KnownFiles = new Map();
  const read = files.map(([path, text], i) => {
    const found = readMemory(text);
    if (!('memory' in found)) throw new Error(`${path}: ${found.problem.reason}`);
    const { memory } = found;
    known.set(path, {
      ...{ stamp: '', hash: '' },
      memory: {
        ...{
          seq: i,
          id: memory.id ?? '',
          names: memory.about,
          from: memory.valid_from ?? '',
          until: memory.valid_until ?? null,
        },
        ...{ supersedes: memory.supersedes, superseded_by: memory.superseded_by, beside: memory.beside },
        ...{ unlinked: false, by_name: false },
      },
    });
    return memory;
  });
  const { until } = superseding(known, new Map());
  const all = read.map((memory, i) => ({ ...memory, until: until.get(i) }));
  return all.sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
}

const branches = new Branches();
afterAll(() => branches.remove());

describe('files of shared memories', () => {
  it('say the same again when they are read', () => {
    const random = seededRandom(18).below;
    for (let i = 0; i < 300; i++) {
      const memory = memoryIn(random, i);
      expect(readMemory(writeMemory(memory))).toEqual({ memory });
    }
  });

  it('merge without a conflict where two branches add, supersede, confirm, rewrite and remove different ones', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const random = seededRandom(seed).below;
      let number = 0;
      const fresh = (supersedes: readonly string[] = []) => ({
        ...memoryIn(random, seed * 1000 + number++),
        supersedes,
      });
      const before = Array.from({ length: 4 + random(8) }, () => fresh());
      const base = new Map(before.map((memory) => [fileNameOf(memory), writeMemory(memory)]));
      const sides = [new Map(base), new Map(base)];
      const expected = new Map(base);
      for (const [i, memory] of before.entries()) {
        const side = sides[i % 2];
        const path = fileNameOf(memory);
        const put = (file: string, text: string | undefined): void => {
          for (const files of [side, expected]) text === undefined ? files?.delete(file) : files?.set(file, text);
        };
        const act = random(5);
        if (act === 0) put(path, undefined);
        if (act === 1)
          put(
            path,
            editFields(base.get(path) ?? '', { confidence: ['confidence: 0.9'], confirmed: ['confirmed: true'] }),
          );
        if (act === 2) put(path, writeMemory({ ...memory, content: `${memory.content} rewritten` }));
        // Both may say of one that theirs takes its place.
        const newer = act === 3 ? fresh([memory.id]) : act === 4 ? fresh([before[0]?.id ?? '']) : fresh();
        put(fileNameOf(newer), writeMemory(newer));
      }
      const [one = base, other = base] = sides;
      const [result, turned] = [branches.merge(base, one, other), branches.merge(base, other, one)];
      expect([result.conflict, turned.conflict], `seed ${seed}`).toEqual([undefined, undefined]);
      expect([...result.files].sort(), `seed ${seed}`).toEqual([...expected].sort());
      expect(knownFrom([...result.files].sort()), `seed ${seed}`).toEqual(
        knownFrom([...turned.files].sort().reverse()),
      );
    }
  });

  it('are looked at once, however many lines of a conflict a stranger has put into one', () => {
    const text = `---\nkind: fact\n---\n\n${'<<<<<<< one\n=======\n'.repeat(4_000)}`;
    expect(readMemory(text)).toMatchObject({ memory: { kind: 'fact' } });
    expect(readMemory(`${text}>>>>>>> other\n`)).toMatchObject({ problem: { line: 5 } });
  });

  it('that two branches rewrite are a conflict that names both texts, and costs that file alone', () => {
    const random = seededRandom(7).below;
    const [memory, untouched] = [memoryIn(random, 1), memoryIn(random, 2)];
    const path = fileNameOf(memory);
    const files = (content: string): Files =>
      new Map([
        [path, writeMemory({ ...memory, content })],
        [fileNameOf(untouched), writeMemory(untouched)],
      ]);
    const { files: merged, conflict } = branches.merge(
      files('A body is bytes.'),
      files('A body is a string.'),
      files('A body is a stream.'),
    );
    expect(conflict).toContain(`CONFLICT (content): Merge conflict in .svc/memories/${path}`);
    expect(merged.get(path)).toMatch(
      /^<{7} one\n.*A body is a string\..*\n={7}\n.*A body is a stream\..*\n>{7} other$/ms,
    );
    expect(readMemory(merged.get(path) ?? '')).toEqual({
      problem: { line: expect.any(Number), reason: 'a merge of Git left a conflict in it' },
    });
    expect(readMemory(merged.get(fileNameOf(untouched)) ?? '')).toEqual({ memory: untouched });
  });
});
