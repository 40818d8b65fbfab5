import { existsSync } from 'node:fs';
import { readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { BRIEFLY, makePipe } from '../support/special-files';

describe('svc-memory agents-block', () => {
  test('writes a marked block into a new AGENTS.md, once, and takes them away again', async () => {
    await withCommandLine(async (place) => {
      await place.ok('agents-block', 'write');
      const text = await readFile(place.path('AGENTS.md'), 'utf8');
      expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(9);
      expect(text.split('\n')).toHaveLength(12);
      expect(text).toContain('`memory_recall` `project context`');
      expect(await place.ok('agents-block', 'write')).toMatch(/^Nothing to change in /);
      expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(text);
      await place.ok('agents-block', 'remove');
      expect(existsSync(place.path('AGENTS.md'))).toBe(false);
    });
  });

  test('the text around it stays to the letter, its line ends too', async () => {
    const own = '# Our agents\r\n\r\nBe kind.\r\n';
    await withCommandLine(
      async (place) => {
        await place.ok('agents-block', 'write');
        const written = await readFile(place.path('AGENTS.md'), 'utf8');
        expect(written.startsWith(own)).toBe(true);
        expect(written.replaceAll('\r\n', '')).not.toContain('\n');
        await writeFile(place.path('AGENTS.md'), `${written}\r\nAfter it.\r\n`);
        await place.ok('agents-block', 'write');
        expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(`${written}\r\nAfter it.\r\n`);
        await place.ok('agents-block', 'remove');
        expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(`${own}\r\nAfter it.\r\n`);
      },
      { files: { 'AGENTS.md': own } },
    );
  });

  test('a block that lost its end costs nobody the text behind it', async () => {
    const own = '# Rules\n\nNever delete this.\n';
    await withCommandLine(async (place) => {
      await place.ok('agents-block', 'write');
      const block = await readFile(place.path('AGENTS.md'), 'utf8');
      const damaged = block.split('\n').slice(0, 2).join('\n');
      await writeFile(place.path('AGENTS.md'), `${damaged}\n\n${own}`);
      await place.ok('agents-block', 'write');
      expect(await place.ok('agents-block', 'write')).toMatch(/^Nothing to change in /);
      expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(`${damaged}\n\n${own}\n${block}`);
      await writeFile(place.path('AGENTS.md'), `${damaged}\n\n${own}\n${block}\n${block}`);
      await place.ok('agents-block', 'remove');
      expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(`${damaged}\n\n${own}`);
    });
  });

  test('leaves a file alone that is no UTF-8', async () => {
    await withCommandLine(async (place) => {
      const other = Buffer.from('\ufeff# Rules\n', 'utf16le');
      await writeFile(place.path('AGENTS.md'), other);
      const { status, err } = await place.run(['agents-block', 'write']);
      expect(status).not.toBe(0);
      expect(err).toMatch(/^invalid_input: .*AGENTS\.md is not UTF-8 text\./);
      expect(await readFile(place.path('AGENTS.md'))).toEqual(other);
    });
  });

  test('is not written through a link, wherever that leads, nor taken out through one', async () => {
    await withCommandLine(async (place) => {
      await place.ok('agents-block', 'write');
      const block = await readFile(place.path('AGENTS.md'), 'utf8');
      await rm(place.path('AGENTS.md'));
      for (const [text, action] of [
        ['', 'write'],
        [block, 'remove'],
      ] as const) {
        await writeFile(place.path('CLAUDE.md'), text);
        await symlink('CLAUDE.md', place.path('AGENTS.md'));
        const { status, err } = await place.run(['agents-block', action]);
        expect([status, err]).toEqual([
          1,
          expect.stringMatching(
            /^invalid_input: .*AGENTS\.md is a link to CLAUDE\.md, and svc-memory never writes through/,
          ),
        ]);
        expect(await readFile(place.path('CLAUDE.md'), 'utf8')).toBe(text);
        expect(await readlink(place.path('AGENTS.md'))).toBe('CLAUDE.md');
        await rm(place.path('AGENTS.md'));
      }
      await symlink('/dev/zero', place.path('AGENTS.md'));
      expect((await place.run(['agents-block', 'write'], BRIEFLY)).err).toMatch(
        /AGENTS\.md leads out of the project, to/,
      );
      await rm(place.path('AGENTS.md'));
      makePipe(place.path('AGENTS.md'));
      expect((await place.run(['agents-block', 'write'], BRIEFLY)).err).toMatch(/AGENTS\.md is not a regular file\./);
    });
  });

  test("goes into Copilot's instructions where that is the file of the project", async () => {
    await withCommandLine(
      async (place) => {
        await place.ok('agents-block', 'write');
        expect(existsSync(place.path('AGENTS.md'))).toBe(false);
        expect(await readFile(place.path('.github', 'copilot-instructions.md'), 'utf8')).toContain('memory_recall');
        await place.ok('agents-block', 'remove');
        expect(await readFile(place.path('.github', 'copilot-instructions.md'), 'utf8')).toBe('Be kind.\n');
      },
      { files: { '.github/copilot-instructions.md': 'Be kind.\n' } },
    );
  });
});
