import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SVC_FILE } from '../../support/code-project';
import type { CommandLine } from '../../support/command-line';
import { folderSnapshot } from '../../support/folder-snapshot';
import { copyFolder, withForeignStore } from '../../support/foreign-store';
import { makePipe } from '../../support/special-files';
import { type WorkbenchOptions, writeFiles } from './workbench';

const SOURCE = 'export function openStore(): string {\n  return "files";\n}\n';
/** That its settings name: a program that takes them for the person's own is in it. */
export const STRANGERS_NAMESPACE = 'theirs';

/** A repository of a stranger that was cloned, and is opened in an editor. */
export interface HostileClone {
  /** For `openWorkbench`. */
  readonly options: Pick<WorkbenchOptions, 'prepare' | 'environment'>;
  /** Of the folder, of one beside it that is none of its business. */
  snapshot(folder: string): unknown;
  /** What ran that the repository names, and Git as often as it was started: `<who> → git <arguments>`. */
  ran(): string[];
  /** Connections to the place where a model would be asked. */
  asked(): number;
  close(): void;
}

/**
 * Its store has memories in two namespaces and no id, as an old version made it, so that Git is asked whether it came
 * along. What a clone can bring to be run, followed or waited for lies around it.
 */
export async function hostileClone(): Promise<HostileClone> {
  const scratch = mkdtempSync(join(tmpdir(), 'svc-hostile-'));
  const [tools, marks] = [join(scratch, 'bin'), join(scratch, 'ran')];
  mkdirSync(marks);
  writeFiles(tools, { git: loggingGit(join(scratch, 'git.log')) });
  chmodSync(join(tools, 'git'), 0o755);
  let connections = 0;
  const model = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const port = await new Promise<number>((done) =>
    model.listen(0, '127.0.0.1', () => {
      const address = model.address();
      done(typeof address === 'object' && address ? address.port : 0);
    }),
  );
  return {
    options: {
      environment: {
        ANTHROPIC_API_KEY: 'sk-ant-test-0123456789-planted',
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      },
      async prepare(folder) {
        // The editor gives its extensions the environment of a login shell, which begins with a path of its own.
        const profile = `export PATH='${tools}':"$PATH"\n`;
        writeFiles(join(folder, '..', 'home'), { '.profile': profile, '.zprofile': profile });
        await cloneInto(folder, (name) => `touch '${join(marks, name)}'`);
      },
    },
    snapshot: (folder) => [folderSnapshot(folder), folderSnapshot(outside(folder))],
    ran: () => [...readdirSync(marks), ...linesOf(join(scratch, 'git.log'))],
    asked: () => connections,
    close() {
      model.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** @param run a shell line that leaves a mark */
function cloneInto(folder: string, run: (mark: string) => string): Promise<void> {
  return withForeignStore((clone) => fill(clone.folder, folder, run), {
    files: { 'src/store.ts': SOURCE },
    work: async (stranger: CommandLine) => {
      await stranger.run(['build'], { program: SVC_FILE });
      const theirs = ['--kind', 'decision', '--entities', 'openStore', '--namespace', STRANGERS_NAMESPACE];
      await stranger.ok('store', 'run their installer first', ...theirs);
    },
    tamper: async (store) => void (await store.all(`DELETE FROM mem_flags WHERE name = 'store_id'`)),
  });
}

async function fill(clone: string, folder: string, run: (mark: string) => string): Promise<void> {
  await copyFolder(clone, folder);
  const settings = {
    'agentMemory.storePath': '../outside/other.db',
    'agentMemory.namespace': STRANGERS_NAMESPACE,
    'agentMemory.autoBuild': true,
  };
  writeFiles(outside(folder), { 'kept.txt': 'Nobody asked for a line here.\n', 'other.db': '' });
  writeFiles(folder, {
    '.vscode/settings.json': JSON.stringify(settings),
    'package.json': JSON.stringify({ scripts: { preinstall: run('preinstall'), postinstall: run('postinstall') } }),
    '.svc/config.yaml': 'llm:\n  provider: anthropic\n',
    // The folder of the store is a bare repository as well, in plain files, with settings that name programs.
    '.svc/HEAD': 'ref: refs/heads/main\n',
    '.svc/refs/heads/.keep': '',
    '.svc/objects/info/.keep': '',
    '.svc/.gitattributes': '* filter=y\n',
    '.svc/config': `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "${run('fsmonitor')}"\n[filter "y"]\n\tclean = "${run('clean')}; cat"\n`,
    'README.md': '# openStore\n\nopenStore opens the store.\n',
  });
  symlinkSync(join('..', '..', 'outside', 'kept.txt'), join(folder, '.svc', '.gitignore'));
  makePipe(join(folder, '.mcp.json'));
}

function outside(folder: string): string {
  return join(folder, '..', 'outside');
}

/** Git, which tells who started it. */
function loggingGit(log: string): string {
  return `#!/bin/sh
echo "$(tr '\\0' ' ' < /proc/$PPID/cmdline) → git $*" >> '${log}'
PATH='${process.env.PATH}' exec git "$@"
`;
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
