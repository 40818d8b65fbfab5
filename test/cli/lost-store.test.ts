import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { connectServer, type ServerOptions } from '../support/stdio-client';

const NOTICE =
  'The store of this project is not there any more, but a backup of it is. Tell your user: "svc-memory restore-backup" brings it back.';

/** A folder whose store was deleted, and of which there is a backup. */
function withLostStore(work: (line: CommandLine) => Promise<void>): Promise<void> {
  return withCommandLine(async (line) => {
    await line.ok('init');
    await line.ok('store', 'Ports are opened by the proxy alone', '--kind', 'decision');
    await line.ok('backup');
    await rm(line.path('.svc'), { recursive: true });
    await work(line);
  });
}

async function answers(line: CommandLine, options: ServerOptions = {}): Promise<string[]> {
  const server = await connectServer(line, options);
  try {
    const ask = (query: string) => server.text('memory_recall', { query });
    return [await ask('project context'), await ask('who opens ports')];
  } finally {
    await server.close();
  }
}

test('an agent is told that the store of its project is lost, and not that nothing was ever remembered', () =>
  withLostStore(async (line) => {
    const onFirstWrite = { SVC_MEMORY_DB: line.path('.svc/memory.db'), SVC_CREATE_STORE: 'on-write' };
    const hook = async () => (await line.run(['hook', 'session-start'], { input: '{}' })).out;
    for (const text of [...(await answers(line)), ...(await answers(line, { env: onFirstWrite })), await hook()]) {
      expect(text).toContain(NOTICE.replaceAll('"', text.startsWith('{') ? '\\"' : '"'));
    }
    await line.ok('restore-backup', '--yes');
    for (const text of [...(await answers(line)), await hook()]) {
      expect(text).toContain('Ports are opened');
      expect(text).not.toContain('not there any more');
    }
  }));

test('a person is told so by what looks at the store, and what brings it back', () =>
  withLostStore(async (line) => {
    const status = await line.ok();
    expect(status).toMatch(/^lost +\S.*memory\.db is not there any more,\s+and a backup of it is$/m);
    expect(status).toMatch(/^ {2}svc-memory restore-backup +brings back the store that is lost$/m);
    expect(await line.run(['doctor'])).toMatchObject({
      out: expect.stringMatching(/memory\.db\s+is\s+not\s+there\s+any\s+more;\s+"svc-memory\s+restore-backup"/),
      status: 1,
    });
    // The one in the home directory, which is used meanwhile, has backups of its own.
    await line.ok('store', 'I prefer tabs', '--kind', 'preference');
    const elsewhere = await line.ok('status');
    expect(elsewhere).toMatch(/^memories +1 preference$/m);
    expect(elsewhere).not.toContain('newest backup');
    await line.ok('init');
    expect(await line.json('status')).toMatchObject({ lost: null });
    expect(await line.ok('doctor')).not.toContain('not there any more');
  }));
