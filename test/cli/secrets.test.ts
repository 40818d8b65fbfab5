import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandLine, PROGRAM_FILE, withCommandLine } from '../support/command-line';
import { drawing } from '../support/planted-secrets';
import { runOnTerminal } from '../support/terminal';

const VALUE = drawing(1).mixed(36);
const SECRET = `The release pushes with ghp_${VALUE}`;

describe('a secret on the command line', () => {
  test('is refused in the words of the command line', () =>
    withCommandLine(async (place) => {
      const { status, err } = await place.run(['store', SECRET, '--kind', 'fact']);
      expect(status).toBe(2);
      expect(err).toContain('<content> holds what looks like a GitHub token, at character 25.');
      expect(err).not.toContain(VALUE.slice(0, 6));
      expect((await place.run(['start-session', SECRET])).err).toContain('<name> holds');
      expect((await place.run(['store', 'x', '--kind', 'fact', '--namespace', SECRET])).status).toBe(2);
      expect(await place.json('namespaces')).toHaveLength(1);
    }));

  test('is left out of an import, which keeps the rest', () =>
    withCommandLine(async (place) => {
      const nodes = [SECRET, 'The release is tagged'].map((content) => ({ kind: 'fact', content }));
      await writeFile(place.path('list.json'), JSON.stringify(nodes));
      const { status, out, err } = await place.run(['import', 'list.json']);
      expect({ status, out }).toEqual({ status: 1, out: 'Imported 1 node from the list, refused 1\n' });
      expect(err).toContain('nodes[0]: invalid_input: "content" holds what looks like a GitHub token');
      expect(err).not.toContain(VALUE.slice(0, 6));
    }));

  test('is stored when a person at a terminal insists: not an agent, and not where nobody sits', () =>
    withCommandLine(async (place) => {
      const insisting = ['store', SECRET, '--kind', 'fact', '--allow-secret'];
      const nobody = await place.run(insisting);
      expect(nobody.status).toBe(1);
      expect(nobody.err).toContain('Only a person can store what looks like a secret, and there is no terminal');
      const agent = await runOnTerminal(place, PROGRAM_FILE, insisting, [], { CLAUDECODE: '1' });
      expect(agent.status).toBe(1);
      expect(agent.screen.replaceAll(/\s+/g, ' ')).toContain('an agent runs this command');
      expect((await runOnTerminal(place, PROGRAM_FILE, insisting, [])).status).toBe(0);
      expect(await place.ok('recall', 'release')).toContain(VALUE);
      await writeFile(place.path('list.json'), JSON.stringify([{ kind: 'fact', content: `${SECRET} as well` }]));
      const imported = await runOnTerminal(place, PROGRAM_FILE, ['import', 'list.json', '--allow-secret'], []);
      expect(imported).toMatchObject({ status: 0, screen: expect.stringContaining('Imported 1 node') });
    }));
});

describe('doctor --secrets', () => {
  /** A store of before: with a secret in each field, in two namespaces, closed and forgotten, and a backup. */
  async function stored(place: CommandLine): Promise<void> {
    const nodes = [
      { kind: 'fact', content: SECRET },
      { kind: 'fact', content: 'Chosen', rationale: `because ${SECRET}`, namespace: 'other' },
      { kind: 'decision', content: 'Left', alternatives_rejected: ['none', SECRET], tombstoned: 1 },
      { kind: 'entity', content: 'The bot', aliases: [SECRET] },
      { kind: 'session', content: SECRET, id: 's_old', valid_until: '2026-01-01T00:00:00.000Z' },
      { kind: 'fact', content: 'Harmless', session_id: 's_old' },
      { kind: 'fact', content: 'There', namespace: `old ${SECRET}` },
    ];
    await writeFile(place.path('old.json'), JSON.stringify({ nodes, edges: [] }));
    const imported = await runOnTerminal(place, PROGRAM_FILE, ['import', 'old.json', '--allow-secret'], []);
    expect(imported.screen).toContain('Imported 7 nodes');
    await place.ok('backup');
  }

  /** The files under a folder in which the value stands. */
  async function holding(folder: string): Promise<string[]> {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    return paths.filter((path) => !path.endsWith('old.json') && readFileSync(path).includes(VALUE));
  }

  test('names each of them without telling it', () =>
    withCommandLine(async (place) => {
      await stored(place);
      expect(await holding(place.home)).not.toEqual([]);
      const { status, out, err } = await place.run(['doctor', '--secrets']);
      expect(status).toBe(1);
      expect(out.replace(/\b(?:f|d|e)_[a-z]{8}/g, '<id>').replace(/made-\S+/, '<name>')).toMatchSnapshot();
      expect(out + err).not.toContain(VALUE.slice(0, 6));
      expect((await place.run(['doctor', '--secrets', '--purge'])).err).toContain('no terminal to ask on');
    }));

  test('offers to delete them, with their backups, on a terminal', () =>
    withCommandLine(async (place) => {
      await stored(place);
      const no = await runOnTerminal(place, PROGRAM_FILE, ['doctor', '--secrets'], [['for good?', '\r']]);
      expect(no).toMatchObject({ status: 1, screen: expect.stringContaining('Nothing was deleted') });
      const yes = await runOnTerminal(place, PROGRAM_FILE, ['doctor', '--secrets'], [['for good?', 'y\r']]);
      expect(yes.status).toBe(0);
      expect(await holding(place.home)).toEqual([]);
      expect(await holding(place.folder)).toEqual([]);
      expect(await place.ok('recall', 'harmless')).toContain('Harmless');
      expect(await place.ok('doctor', '--secrets')).toMatch(/^No secret was found in \d+ nodes\.$/m);
      expect(await place.json('namespaces')).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'renamed-3' })]),
      );
    }));

  test('answers in JSON, and purges without a question when it is told so', () =>
    withCommandLine(async (place) => {
      await stored(place);
      const { status, out } = await place.run(['doctor', '--secrets', '--json']);
      expect(status).toBe(1);
      expect(JSON.parse(out)).toMatchObject({ ok: false, purged: false, backups: [expect.stringMatching('^made-')] });
      expect(await place.json('doctor', '--secrets', '--purge', '--yes')).toMatchObject({ ok: true, purged: true });
      expect(await holding(place.home)).toEqual([]);
      expect(await holding(place.folder)).toEqual([]);
    }));
});
