import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SVC_FILE, withCodeProject } from '../support/code-project';
import { NO_OLLAMA } from '../support/fake-models';
import { BRIEFLY, makePipe } from '../support/special-files';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
  'docs/drafts/late.markdown': '# Late\n\n`Store`\n',
  'docs/ignored/secret.md': '# Secret\n\n`Store`\n',
  'docs/image.png': 'x',
  '.gitignore': 'ignored/\n',
};

interface Printed {
  readonly documents: { readonly read: number };
  readonly skipped: Readonly<Record<string, number>>;
  readonly bindings: { readonly total: number };
}

it('takes a file, or the Markdown below a folder that .gitignore leaves in', async () => {
  await withCodeProject(FILES, async ({ svc }) => {
    const ingest = async (path: string, cwd?: string): Promise<Printed> => {
      const { status, out, err } = await svc(['ingest', path, '--llm', 'none', '--json'], cwd);
      expect({ status, err }).toEqual({ status: 0, err: '' });
      return JSON.parse(out) as Printed;
    };
    expect(await ingest('docs')).toMatchObject({ documents: { read: 2 }, bindings: { total: 2 } });
    expect(await ingest('secret.md', 'docs/ignored')).toMatchObject({ documents: { read: 1 }, bindings: { total: 3 } });
    expect(await ingest('.')).toMatchObject({ documents: { read: 0 }, bindings: { total: 2 } });
  });
});

it('follows no link out of the project, and reads no file that is too large, binary or of another encoding than it says', async () => {
  const files = {
    ...FILES,
    'docs/large.md': `# Large\n\n${'`Store` '.repeat(150_000)}`,
    'docs/binary.md': '# Binary\u0000\n\n`Store`\n',
    'docs/deep.md': `# Deep\n\n${'> '.repeat(20_000)}x\n`,
    'docs/bom.md': '\ufeff# Mark\r\n\r\n`Store`\r\n',
  };
  await withCodeProject(files, async ({ svc, path, home, folder }) => {
    await symlink(home, path('docs', 'outside'));
    await symlink(path('docs', 'guide.md'), path('docs', 'again.md'));
    await symlink(home, path('linked'));
    const { out } = await svc(['ingest', 'docs', '--llm', 'none', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      documents: { read: 3 },
      bindings: { total: 3 },
      skipped: { 'too large': 1, binary: 1, link: 1, 'too deeply nested': 1 },
    });
    for (const outside of [home, 'linked', '..']) {
      const { status, err } = await svc(['ingest', outside, '--llm', 'none']);
      expect(status).toBe(2);
      expect(err).toMatch(/^invalid_input: ".*" is outside the project/);
    }
    expect(folder).not.toBe(home);
  });
});

it('waits for no pipe, and reads no file behind a link out of the project: document, argument, configuration', async () => {
  await withCodeProject(FILES, async ({ run, path, home, remove }) => {
    const ingest = (...args: string[]) => run(['ingest', ...args], { program: SVC_FILE, env: NO_OLLAMA, ...BRIEFLY });
    makePipe(path('docs', 'pipe.md'));
    await symlink('/dev/zero', path('docs', 'zero.md'));
    const { status, out } = await ingest('docs', '--llm', 'none', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ documents: { read: 2 }, skipped: { 'no regular file': 1, link: 1 } });
    expect((await ingest('docs/pipe.md', '--llm', 'none')).err).toMatch(
      /^invalid_input: "docs\/pipe\.md" is not a regular/,
    );
    expect((await ingest('docs/zero.md', '--llm', 'none')).err).toMatch(/^invalid_input: "docs\/zero\.md" is outside/);

    makePipe(path('.svc', 'config.yaml'));
    expect((await ingest('docs')).err).toMatch(
      /^invalid_input: .*config\.yaml is not a regular file\. It was not read/,
    );
    await remove('.svc/config.yaml');
    for (const target of ['/dev/zero', join(home, 'theirs.yaml')]) {
      await writeFile(join(home, 'theirs.yaml'), 'llm:\n  provider: none\n');
      await symlink(target, path('.svc', 'config.yaml'));
      const { err } = await ingest('docs');
      expect(err).toMatch(/^invalid_input: .*config\.yaml leads out of the project, to .*\. It was not read\./);
      expect(err).toContain(target.slice(-9));
      await remove('.svc/config.yaml');
    }
    await writeFile(path('shared.yaml'), 'llm:\n  provider: none\n');
    await symlink('../shared.yaml', path('.svc', 'config.yaml'));
    expect((await ingest('docs')).status).toBe(0);
  });
});

it('reads the configuration of the home directory through links, as people keep such files elsewhere', async () => {
  await withCodeProject(FILES, async ({ run, home, remove }) => {
    const ingest = () => run(['ingest', 'docs'], { program: SVC_FILE, env: NO_OLLAMA });
    const kept = await mkdtemp(join(tmpdir(), 'svc-dotfiles-'));
    try {
      await remove('.svc/memory.db');
      await writeFile(join(kept, 'config.yaml'), 'llm:\n  provider: nowhere\n');
      await cp(join(home, '.svc'), kept, { recursive: true });
      await rm(join(home, '.svc'), { recursive: true });
      // The whole folder is a link, then the file alone.
      await symlink(kept, join(home, '.svc'));
      expect((await ingest()).err).toMatch(/config\.yaml names "nowhere"/);
      await rm(join(home, '.svc'));
      await mkdir(join(home, '.svc'));
      await symlink(join(kept, 'config.yaml'), join(home, '.svc', 'config.yaml'));
      expect((await ingest()).err).toMatch(/config\.yaml names "nowhere"/);
    } finally {
      await rm(kept, { recursive: true });
    }
  });
});

it('says what is wrong with what it is given', async () => {
  await withCodeProject(FILES, async ({ run }) => {
    const svc = (...args: string[]) => run(args, { program: SVC_FILE, env: NO_OLLAMA });
    expect(await svc('ingest')).toMatchObject({
      status: 2,
      err: expect.stringContaining('missing required argument "path"'),
    });
    expect((await svc('ingest', 'nowhere', '--llm', 'none')).err).toMatch(
      /^not_found: There is no file or folder "nowhere"/,
    );
    expect((await svc('ingest', 'src/store.ts', '--llm', 'none')).err).toMatch(
      /^invalid_input: "src\/store\.ts" is not a Markdown file/,
    );
    for (const wrong of ['0', '33', 'many']) {
      const { status, err } = await svc('ingest', 'docs', '--concurrency', wrong);
      expect(status).toBe(2);
      expect(err).toContain('Give a number from 1 to 32');
    }
  });
});

it('shows the default model of each provider in its help', async () => {
  await withCodeProject({}, async ({ svc }) => {
    const { out } = await svc(['ingest', '--help']);
    for (const shown of [
      'claude-haiku-5-5',
      'gpt-6-luna',
      'qwen3:8b',
      'as the host chooses',
      '--dry-run',
      '--explain',
      'anthropic 4',
    ]) {
      expect(out).toContain(shown);
    }
  });
});

it('summarises in a few lines what was done', async () => {
  await withCodeProject(FILES, async ({ svc }) => {
    const { out } = await svc(['ingest', 'docs', '--llm', 'none']);
    expect(out).toBe(
      [
        'Code: read 1 changed file, removed 0.',
        'Documents: read 2, unchanged 0, removed 0.',
        'Sections: judged 2 by what they name, asked about 0.',
        'Bindings: 2 (added 2, changed 0, removed 0).',
        '',
      ].join('\n'),
    );
  });
});

it('binds to code that is new, and builds what an interrupted build has left', async () => {
  await withCodeProject(FILES, async ({ svc, write, path }) => {
    const ingest = async () => JSON.parse((await svc(['ingest', 'docs', '--llm', 'none', '--json'])).out) as Printed;
    await ingest();
    await write('src/new.ts', 'export function brandNewThing() {}\n');
    await write('docs/new.md', '# New\n\n`brandNewThing`\n');
    expect(await ingest()).toMatchObject({ code: { indexed: 1 }, bindings: { added: 1 } });
    for (const rest of ['-wal', '-shm', '']) await writeFile(path('.svc', `graph.db${rest}`), '');
    expect(await ingest()).toMatchObject({ code: { indexed: 2 }, bindings: { total: 3 } });
  });
});
