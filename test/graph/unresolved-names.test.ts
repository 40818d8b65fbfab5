import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { CodeLocation } from '../../src/server/memory/code/touches';
import { withCodeProject } from '../support/code-project';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

interface Answer {
  readonly node_id: string;
  readonly unresolved?: readonly { readonly name: string; readonly nearest: readonly string[] }[];
}

const SOURCES = {
  'src/session/tokens.ts':
    'export function verifyToken() { return 1; }\nexport class Session {\n  close() { return 2; }\n}\nexport class Pool {\n  close() { return 3; }\n}\n',
  'src/session/store.ts': 'export function open() { return 4; }\n',
  'lib/store.ts': 'export function open() { return 5; }\n',
  'lib/made.ts': `export const big = 1;\n// ${'x'.repeat(1_100_000)}\n`,
  'README.md': '# Read me\n',
};

const store = ({ call }: FollowedRepository, ...entities: string[]): Promise<Answer> =>
  call<Answer>('memory_store', { content: 'it', kind: 'fact', entities });

it('a store names what has the path of a source and means nothing, with what comes nearest', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    expect(await store(repository, 'src/session/tokns.ts#verifyToken')).not.toHaveProperty('unresolved');
    await repository.build();
    const tokens = 'src/session/tokens.ts';
    for (const [name, nearest] of [
      [`${tokens}#verifyTokn`, [`${tokens}#verifyToken`]],
      [`${tokens}#verifytoken`, [`${tokens}#verifyToken`]],
      [`${tokens}#close`, [`${tokens}#Session.close`, `${tokens}#Pool.close`]],
      [`${tokens}#Sesion.close`, [`${tokens}#Session.close`, `${tokens}#Session`, `${tokens}#Pool.close`]],
      [`${tokens}#zzz`, [tokens]],
      [`${tokens}:42`, [tokens]],
      [`${tokens}:42:7`, [tokens]],
      [`${tokens}::verifyTokn`, [`${tokens}#verifyToken`]],
      ['src/session/tokns.ts', [tokens]],
      ['src/session/Tokens.ts', [tokens]],
      ['src/tokens.ts#verifyToken', [tokens]],
      ['src/sesion/store.ts', ['src/session/store.ts', 'lib/store.ts']],
      ['src/zzzzzz.ts', []],
    ] as const) {
      expect((await store(repository, name)).unresolved, name).toEqual([{ name, nearest }]);
    }
  }));

it('other names are none of them: those that mean code, plain words, other files, patterns, addresses, what is left out', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    await repository.build();
    const meant = [
      'src/session/tokens.ts',
      './src/session/tokens.ts#Session.close',
      'verifyToken',
      'src\\session\\store.ts',
    ];
    const others = [
      'router',
      'Session.missing()',
      'Node.js',
      'CI/CD',
      'acme/tool#12',
      'README.md#usage',
      'docs/none.md',
    ];
    const forms = ['src/**/*.ts', 'https://example.com/a.js', 'feature/tokens', '../src/none.ts', '/src/none.ts'];
    expect(await store(repository, ...meant, ...others, ...forms, 'lib/made.ts#small')).not.toHaveProperty(
      'unresolved',
    );
  }));

it('an import names each of them once, but not those of memories that bring links along', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    await repository.build();
    const touches = [{ file_path: 'src/old.ts', code_type: 'file', name: 'old.ts', hash: '+x' }];
    const { unresolved } = await repository.call<Answer>('memory_import', {
      nodes: [
        { content: 'one', kind: 'fact', entities: ['src/session/stor.ts', 'src/session/store.ts#open'] },
        { content: 'two', kind: 'fact', entities: ['src/session/stor.ts'] },
        { content: 'three', kind: 'fact', entities: ['src/old.ts'], touches },
        { content: '', kind: 'fact', entities: ['src/bad.ts'] },
      ],
    });
    expect(unresolved).toEqual([{ name: 'src/session/stor.ts', nearest: ['src/session/store.ts', 'lib/store.ts'] }]);
    expect(await repository.call('memory_import', { nodes: [{ content: 'four', kind: 'fact' }] })).not.toHaveProperty(
      'unresolved',
    );
  }));

it('the page of a memory names them as long as they mean nothing, and not what it has a link to', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    await repository.build();
    const page = (id: string) => repository.call<Answer>('node', { id });
    const { node_id } = await store(repository, 'src/later.ts#soon', 'src/session/store.ts#open');
    expect((await page(node_id)).unresolved).toEqual([{ name: 'src/later.ts#soon', nearest: [] }]);
    expect(await repository.text('node', { id: node_id })).toContain('**Means no code:**\n- src/later.ts#soon.');
    await repository.move('src/session/store.ts', 'src/session/kept.ts');
    await repository.write('src/later.ts', 'export function soon() { return 6; }\n');
    await repository.build();
    expect(await repository.call<CodeLocation[]>('memory_to_code', { memory_id: node_id })).toHaveLength(2);
    expect(await page(node_id)).not.toHaveProperty('unresolved');
  }));

it('the command line shows them below what it has stored or imported', () =>
  withCodeProject(SOURCES, async ({ build, run, path }) => {
    await build();
    const stored = await run(['store', 'it', '--kind', 'fact', '--entities', 'src/session/stor.ts']);
    expect(stored.status).toBe(0);
    expect(stored.err).toMatch(/"src\/session\/stor\.ts" means no code; the nearest are "src\/session\/store\.ts"/);
    const list = [{ content: 'it', kind: 'fact', entities: ['src/session/tokens.ts#verifyTokn'] }];
    await writeFile(path('list.json'), JSON.stringify(list));
    const { status, err } = await run(['import', path('list.json')]);
    expect(status).toBe(0);
    expect(err).toContain(
      '"src/session/tokens.ts#verifyTokn" means no code; the nearest are "src/session/tokens.ts#verifyToken".',
    );
  }));
