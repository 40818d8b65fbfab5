import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { SVC_FILE } from '../support/code-project';
import { type CommandLine, PROGRAM_FILE, withCommandLine } from '../support/command-line';
import { gitIn } from '../support/git-in';
import { serverEnvironment, writeFiles } from '../support/stdio-client';

const OPEN = 'export function open() {\n  return connect("main", 1, 2, 3, 4, 5);\n}\n';
/** What somebody else wrote may try to be more than text. */
const HOSTILE = 'A body is one string `` @team ![x](http://evil.example/x.png) <img src=x> #12';

interface Repository extends CommandLine {
  git(...args: string[]): void;
  /** Of the decision that is shared. */
  readonly id: string;
}

/** A clone whose branch has changed `open`, about which a decision is shared. */
function withChange(work: (repository: Repository) => Promise<void>): Promise<void> {
  return withCommandLine(
    async (place) => {
      const git = gitIn(place.folder);
      git('init', '--initial-branch=main');
      await place.ok('init');
      const { node_id } = await place.json<{ node_id: string }>(
        ...['store', HOSTILE, '--kind', 'decision', '--entities', 'src/open.ts#open', '--rationale', 'It is simple'],
      );
      await place.ok('share', node_id);
      git('add', '-A');
      git('commit', '-m', 'start');
      git('switch', '-c', 'change');
      await writeFiles(place, { 'src/open.ts': OPEN.replace('main', 'other') });
      git('commit', '-am', 'change');
      // What a run has: the files alone, and no home of ours.
      rmSync(join(place.folder, '.svc/memory.db'));
      rmSync(join(place.home, '.svc'), { recursive: true });
      await work({ ...place, git, id: node_id });
    },
    { files: { 'src/open.ts': OPEN, 'src/other.ts': OPEN.replace('open', 'other') } },
  );
}

describe('svc-memory ci', () => {
  it('names the shared memories that a change touches, from their files alone, as a comment and as SARIF', () =>
    withChange(async ({ run, ok, folder, home, id, git }) => {
      const said = await ok('ci', '--since', 'main', '--comment', 'comment.md', '--sarif', 'memories.sarif');
      expect(said).toContain(`[${id}]`);
      const comment = readFileSync(join(folder, 'comment.md'), 'utf8');
      expect(comment.split('\n')).toEqual([
        '<!-- svc-memory -->',
        '### This change touches a memory',
        '',
        expect.stringContaining('since `main`'),
        '',
        expect.stringMatching(/^- \*\*Decision\*\* of \d{4}-\d\d-\d\d: ```A body is one string `` @team .* #12```$/),
        '  because `It is simple`',
        '  - changed: `src/open.ts:1` `open`',
        expect.stringMatching(/^ {2}- in `\.svc\/memories\/[\w.-]+\.md`$/),
        '',
      ]);
      const sarif = JSON.parse(readFileSync(join(folder, 'memories.sarif'), 'utf8')) as object;
      expect(sarif).toMatchObject({
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'svc-memory', rules: [{ id: 'memory-changed' }, { id: 'memory-gone' }] } },
            results: [
              {
                ruleId: 'memory-changed',
                level: 'note',
                message: { text: expect.stringContaining('!\\[x\\](http') as string },
                locations: [
                  { physicalLocation: { artifactLocation: { uri: 'src/open.ts' }, region: { startLine: 1 } } },
                ],
              },
            ],
          },
        ],
      });
      expect((await run(['ci', '--since', 'main', '--fail'])).status).toBe(1);
      // A decision that comes with the change and says nothing of a text is about the code as it is now.
      const [file = ''] = readdirSync(join(folder, '.svc/memories'));
      const path = join(folder, '.svc/memories', file);
      const linked = readFileSync(path, 'utf8');
      const byName = linked.replace(/^links:\n(?:[ -].*\n)+/m, '');
      expect(byName).not.toBe(linked);
      writeFileSync(path, byName);
      expect((await run(['ci', '--since', 'main', '--fail'])).status).toBe(0);
      git('checkout', '--force', 'main');
      expect((await run(['ci', '--since', 'main', '--fail'])).status).toBe(0);
      // Nothing of ours is left in the home of the run.
      expect((await run(['trust', '--list'])).out).not.toContain(folder);
      expect(home).not.toBe(folder);
    }));

  it('names a decision by hand whose function the change removes, and knows one that was renamed', () =>
    withChange(async ({ git, json, folder, home }) => {
      git('switch', 'main');
      const record = (about: string): string =>
        `# Timeouts are ours\n\n## Decision\n\nWe wait five seconds, see \`${about}\`.\n`;
      await writeFiles(
        { folder, home },
        {
          'src/wait.ts': 'export function wait() {\n  return later(5, 4, 3, 2, 1);\n}\nexport const most = 5;\n',
          '.svc/memories/0001-removed.md': record('src/wait.ts#wait'),
          '.svc/memories/0002-stays.md': record('src/wait.ts#most'),
          '.svc/memories/0003-file.md': record('src/wait.ts'),
          '.svc/memories/0004-moved.md': record('src/other.ts#other'),
        },
      );
      git('add', '-A');
      git('commit', '-m', 'records');
      git('switch', '-c', 'removal');
      await writeFiles({ folder, home }, { 'src/wait.ts': 'export const most = 5;\n' });
      git('mv', 'src/other.ts', 'src/elsewhere.ts');
      git('commit', '-am', 'removal');
      const { memories } = await json<{ memories: { verdict: string; symbols: { was: { name: string } }[] }[] }>(
        ...['ci', '--since', 'main'],
      );
      const found = memories.map(({ verdict, symbols }) => `${symbols.map(({ was }) => was.name)} ${verdict}`);
      expect(found.sort()).toEqual(['wait gone', 'wait.ts changed']);
    }));

  it('leaves the code graph of a person as it is, and none where there was none', () =>
    withChange(async ({ ok, run, folder }) => {
      const graph = join(folder, '.svc/graph.db');
      rmSync(graph, { force: true });
      await ok('ci', '--since', 'main');
      expect(existsSync(graph)).toBe(false);
      await ok('init');
      expect((await run(['build'], { program: SVC_FILE })).status).toBe(0);
      const { ino } = statSync(graph);
      await ok('ci', '--since', 'main');
      expect(statSync(graph).ino).toBe(ino);
      expect((await run(['check', '--since', 'main'])).out).toContain('touches 1 memory');
    }));

  it('writes one comment, renews it, and says when nothing is touched any more', () =>
    withChange(async (place) => {
      const { git } = place;
      const asked: string[] = [];
      const comments = [{ id: 7, body: 'of somebody else, who says <!-- svc-memory -->' }];
      const server = createServer((request, response) => {
        void bodyOf(request).then((body) => {
          const { method = '', url = '' } = request;
          asked.push(`${method} ${url} ${request.headers.authorization}`);
          if (method === 'POST') comments.push({ id: 8, body });
          if (method === 'PATCH') Object.assign(comments[1] ?? {}, { body });
          response.setHeader('content-type', 'application/json').end(JSON.stringify(method === 'GET' ? comments : {}));
        });
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const env = {
        GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        ...{ GITHUB_REPOSITORY: 'owner/name', GITHUB_REF: 'refs/pull/12/merge', GITHUB_TOKEN: 'token of the run' },
      };
      try {
        // As action.yml does it.
        const post = () => runAction(place, env);
        expect(await post()).toMatchObject({
          status: 0,
          err: expect.stringContaining('pull request: written') as string,
        });
        expect(comments[1]?.body).toContain('This change touches a memory');
        expect((await post()).err).toContain('renewed');
        git('checkout', 'main');
        expect((await post()).err).toContain('renewed');
        expect(comments[1]?.body).toContain('leaves no memory in doubt');
        comments.length = 1;
        expect((await post()).err).toContain('nothing to say');
        expect(comments).toHaveLength(1);
        expect(asked.slice(0, 2)).toEqual([
          'GET /repos/owner/name/issues/12/comments?per_page=100&page=1 Bearer token of the run',
          'POST /repos/owner/name/issues/12/comments Bearer token of the run',
        ]);
        expect(asked[3]).toContain('PATCH /repos/owner/name/issues/comments/8 ');
        const summary = readFileSync(join(place.home, 'summary.md'), 'utf8');
        expect(summary).toContain('This change touches a memory');
        expect(ACTION.inputs.version.default).toBe(packageJson.version);
      } finally {
        server.close();
      }
    }));

  it('says what is missing', () =>
    withChange(async ({ run, path }) => {
      const outside = await run(['ci', '--since', 'main', '--post']);
      expect([outside.status, outside.err]).toEqual([
        2,
        expect.stringContaining('no run of GitHub for a pull request'),
      ]);
      const unknown = await run(['ci', '--since', 'nowhere']);
      expect([unknown.status, unknown.err]).toEqual([2, expect.stringContaining('nowhere')]);
      rmSync(path('.svc/memories'), { recursive: true });
      const none = await run(['ci', '--since', 'main']);
      expect([none.status, none.err]).toEqual([2, expect.stringContaining('There is no folder .svc/memories')]);
    }));
});

interface Action {
  readonly inputs: { readonly version: { readonly default: string } };
  readonly runs: { readonly steps: readonly { readonly name: string; readonly run: string }[] };
}

const ACTION = parse(readFileSync(resolve(__dirname, '../../action.yml'), 'utf8')) as Action;

/** Runs the step of the action, in the environment that GitHub gives it. */
function runAction(
  place: CommandLine,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number; err: string }> {
  const step = ACTION.runs.steps.find(({ name }) => name === 'Check the memories');
  const bin = join(place.home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'svc-memory'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM_FILE}" "$@"\n`, {
    mode: 0o755,
  });
  const base = serverEnvironment(place);
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'false'], {
    cwd: place.folder,
    env: {
      ...{ ...base, PATH: [bin, base.PATH].join(delimiter), SINCE: 'main', COMMENT: 'true', SARIF: '' },
      ...{ RUNNER_TEMP: place.home, GITHUB_STEP_SUMMARY: join(place.home, 'summary.md'), ...env },
    },
  });
  let err = '';
  child.stderr.on('data', (piece) => {
    err += String(piece);
  });
  return new Promise((done) => child.on('close', (status) => done({ status: status ?? -1, err })));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text === '' ? '' : (JSON.parse(text) as { body: string }).body;
}
