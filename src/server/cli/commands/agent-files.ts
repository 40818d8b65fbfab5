/** `svc-memory hooks` and `svc-memory agents-block`. */
import { Argument, Command } from 'commander';
import { locateStore } from '../../../store-place/locate';
import { HOOK_HOSTS, type HookHost } from '../../agents/hook-hosts';
import type { AgentFile } from '../../agents/hooks';
import type { Cli, ExitStatus } from '../cli';

const HOOKS = `Have agents' hosts call "svc-memory hook": .github/hooks/svc-memory.json for VS Code and Copilot, .claude/settings.json for Claude Code, and, where the project has their folder or they are named, .codex/hooks.json, .cursor/hooks.json and .gemini/settings.json. What else is in these files stays, comments too.`;
const BLOCK = `Tell agents to use the memory: a marked block in AGENTS.md, or in .github/copilot-instructions.md where that is the file a project has. The text around it stays.`;

const WORDS: Readonly<Record<AgentFile['outcome'], string>> = {
  written: 'Written:',
  kept: 'Nothing to change in',
  removed: 'Removed from',
  missing: 'There is no',
};

export function hooksCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('hooks')
    .summary("Install or remove the hooks of agents' hosts")
    .description(HOOKS)
    .addArgument(new Argument('<action>', 'what to do').choices(['install', 'remove']))
    .addArgument(new Argument('[hosts...]', 'whose hooks').choices(HOOK_HOSTS))
    .addHelpText(
      'after',
      '\nExamples:\n  svc-memory hooks install\n  svc-memory hooks install codex gemini\n  svc-memory hooks remove\n',
    )
    .action(async (action: 'install' | 'remove', named: HookHost[]) => {
      const { installHooks, removeHooks } = await import('../../agents/hooks');
      const root = await rootOf(cli);
      const hosts = named.length === 0 ? undefined : named;
      await tell(cli, action === 'install' ? installHooks({ ...cli, root }, hosts) : removeHooks(root, hosts));
      finish(0);
    });
}

export function agentsBlockCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('agents-block')
    .summary('Write or remove the block for agents')
    .description(BLOCK)
    .addArgument(new Argument('<action>', 'what to do').choices(['write', 'remove']))
    .addHelpText('after', '\nExamples:\n  svc-memory agents-block write\n  svc-memory agents-block remove\n')
    .action(async (action: 'write' | 'remove') => {
      const { removeAgentsBlock, writeAgentsBlock } = await import('../../agents/instructions-block');
      await tell(cli, (action === 'write' ? writeAgentsBlock : removeAgentsBlock)(await rootOf(cli)));
      finish(0);
    });
}

async function rootOf({ around }: Cli): Promise<string> {
  const { clientRoot } = await import('../../agents/client-config');
  return clientRoot(locateStore(around).root, around.cwd);
}

async function tell({ output }: Cli, files: readonly AgentFile[]): Promise<void> {
  for (const { path, outcome } of files) await output.text(`${WORDS[outcome]} ${path}`);
}
