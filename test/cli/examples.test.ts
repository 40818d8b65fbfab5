// Every example of the documents, run as it stands there.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM_FILE, withCommandLine } from '../support/command-line';
import { serverEnvironment } from '../support/stdio-client';

const ROOT = resolve(__dirname, '../..');
const page = (name: string): string => readFileSync(join(ROOT, name), 'utf8').replaceAll(/\\\n\s*/g, '');

/** Of the help, or of blocks for a shell in documents. */
function examples(where: 'help' | 'documents'): string[] {
  const help = [...page('docs/cli.md').matchAll(/^Examples:\n((?: {2}\S.*\n)+)/gm)].map(([, lines = '']) => lines);
  const blocks = [
    'README.md',
    ...['behaviour', 'clients', 'tools', 'settings', 'team'].map((page) => `docs/${page}.md`),
  ].flatMap((name) => [...page(name).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines));
  const lines = (where === 'help' ? help : blocks).flatMap((text) => text.split('\n'));
  const told = lines.map((line) => line.replace(/\s+#\s.*$/, '').trim());
  return [...new Set(told.filter((line) => /(?:^|[\s(])svc(?:-memory)? /.test(line)))];
}

const node = (id: string, kind: string, more: object = {}) => ({
  id,
  kind,
  content: `One of ${id}`,
  entities: ['SQLite'],
  ...more,
});
/** What the examples name. */
const NODES = [
  node('s_bakilomu', 'session', { entities: [] }),
  node('d_bakilomu', 'decision', { content: 'The store is one SQLite file', entities: ['src/store.ts', 'SQLite'] }),
  node('f_bakilomu', 'fact', { content: 'CI runs on Node 24 with the cache' }),
  node('f_bakilomi', 'fact', { content: 'CI runs on Node 24, with the cache' }),
  node('p_bakilomu', 'procedure', { content: 'Release steps: tag, build, publish', valid_from: '2026-01-01' }),
  node('f_fegisado', 'fact', { content: 'Storage is slow, of f_fegisado' }),
];

/** Those that ask a person, a model or Git of another day, and what they say here in place of doing it. */
const NOT_HERE: readonly (readonly [which: RegExp, says: RegExp])[] = [
  [/^svc (?:ingest|sync)\b(?!.*(?:none|dry-run|explain))/, /provider/],
  [/^svc-memory review keep --source /, /Only a person can keep/],
  [/^svc-memory review (?:edit|keep) d_/, /is not a proposal that waits/],
  [/^svc-memory review (?:confirm|dismiss) \d/, /There is no entry \d in the review queue/],
  [/^svc-memory restore-backup(?!.*--list)/, /no terminal/],
  [/^svc-memory import --from here$/, /no terminal to ask on/],
  [/^svc-memory setup(?: --remove)?$/, /no terminal/],
  [/^svc-memory undo 42$/, /There is no operation 42/],
  [/^svc-memory restore f_/, /is not forgotten/],
  [/^svc-memory ci /, /There is no folder \.svc/],
  [/^svc-memory (?:login|promote|team)\b/, /no team's memory/],
  [/^svc-memory node t:/, /There is no memory/],
  [
    /^SVC_MEMORY_DB=\S+ SVC_MEMORY_DB_ADMIN=\S+ svc-memory admin add-project/,
    /The engine does not answer at SVC_MEMORY_DB_ADMIN/,
  ],
  [/^SVC_MEMORY_DB=.* svc-memory serve /, /is in a file, and not in the engine/],
  [/^SVC_MEMORY_DB=.* svc-memory admin erase /, /There is no project "engine-shop"/],
  [/^svc-memory serve .*--tls/, /cert\.pem cannot be read/],
  [/^svc-memory serve .*--listen 10/, /cannot be listened on/],
  [/^svc-memory serve /, /^Serving team at http:/],
  [/^svc-memory forget --before 2025/, /There is no memory recorded before/],
];

/** What another example would notice. */
const CHANGES =
  /forget|clear-session|verify |undo|review|trust|restore|setup|init|hooks|agents-block|import|consolidate|export|share|link/;

// Those of the help are the most: each half has the time of a test.
test.each([
  ['help', 1, 2],
  ['help', 2, 2],
  ['documents', 1, 1],
] as const)('every example of the %s does what it says, part %i of %i', (where, part, parts) =>
  withCommandLine(
    async (place) => {
      const bin = join(place.home, 'bin');
      mkdirSync(bin);
      for (const name of ['svc', 'svc-memory']) {
        const file = join(bin, name);
        writeFileSync(
          file,
          `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM_FILE.replace('svc-memory', name)}" "$@"\n`,
        );
        chmodSync(file, 0o755);
      }
      const env = { ...serverEnvironment(place), PATH: [bin, process.env.PATH].join(delimiter) };
      const run = (line: string) =>
        new Promise<{ status: number | null; said: string }>((done) => {
          const child = spawn('bash', ['-c', line], { cwd: place.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
          let said = '';
          for (const stream of [child.stdout, child.stderr]) {
            stream.on('data', (piece) => {
              said += String(piece);
              // A server goes on until it is told to end.
              if (said.startsWith('Serving ')) child.kill('SIGTERM');
            });
          }
          child.on('close', (status) => done({ status, said }));
        });
      const set = async (line: string) => expect(await run(line)).toMatchObject({ status: 0 });
      writeFileSync(place.path('nodes.json'), JSON.stringify(NODES));
      writeFileSync(
        join(place.home, 'memory.jsonl'),
        '{"type":"entity","name":"Anna","entityType":"person","observations":[]}\n',
      );
      const commit = 'git add -A && git -c user.name=A -c user.email=a@b.c commit -qm';
      await set(`git init -q -b main && ${commit} first && git update-ref refs/remotes/origin/main HEAD`);
      await set(`git switch -qc later && echo '// later' >> src/store.ts && ${commit} second`);
      await set(
        'svc-memory init && svc-memory import nodes.json && svc build && svc-memory review keep --source 1 --yes',
      );
      await set('svc-memory store "why sqlite: no server" --kind fact --namespace other && mkdir usb');
      await set(
        'svc-memory admin add-project team other && svc-memory admin token team --person eve --role other=reader',
      );
      await set('svc-memory export backup.json && svc-memory backup; mkdir .claude ~/.claude');
      // None sees what another one did.
      const before = join(place.home, '..', 'before');
      await set(`mkdir ${before} && cp -a . ${before}/project && cp -a ~ ${before}/home`);
      const again = `rm -rf .svc docs ~/.svc && cp -a ${before}/project/. . && cp -a ${before}/home/. ~`;
      const lines = examples(where);
      expect(lines.length).toBeGreaterThan(where === 'help' ? 40 : 14);
      const wrong: string[] = [];
      for (const line of lines.slice(((part - 1) * lines.length) / parts, (part * lines.length) / parts)) {
        const here = line.replaceAll('/mnt/usb', 'usb').replaceAll('/srv/memory', 'team');
        const { status, said } = await run(here);
        const expected = NOT_HERE.find(([which]) => which.test(line))?.[1];
        if (expected ? !expected.test(said) : status !== 0) wrong.push(`${line} → ${status}: ${said.slice(0, 200)}`);
        if (CHANGES.test(line)) await run(again);
      }
      expect(wrong).toEqual([]);
    },
    {
      files: {
        'src/store.ts': `export function open() {\n${'  // …\n'.repeat(50)}}\n`,
        'README.md': '# A project\n\n`open` opens the store.\n',
        'docs/guide.md': '# Guide\n\n`open` opens the store.\n',
        'AGENTS.md': '- Errors say what to do about them.\n',
        'packages/server/a.ts': 'export const a = 1;\n',
        'docs/adr/0001-a.md': '# Use SQLite\n\n## Decision\n\nWe use SQLite.\n',
      },
    },
  ),
);
