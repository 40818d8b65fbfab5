/** The commands of `svc-memory`, each loaded when it is run: loading all of them takes longer than most take to answer. */
import type { Command } from 'commander';
import type { Tool } from '../tools/define-tool';
import type { Cli, ExitStatus } from './cli';
import { GROUPS, presentation, STORE_GROUP } from './groups';
import { commandName } from './parameters';
import { PROGRAM } from './program-name';
import { toolCommand } from './tool-command';

type MakeCommand = (cli: Cli, finish: (status: ExitStatus) => void) => Command;

interface ListedCommand {
  readonly name: string;
  /** Of the help. */
  readonly group: string;
  readonly load: () => Promise<MakeCommand>;
}

const [, , RIGHT, CODE] = GROUPS;
const AGENTS = 'Agents:';
const TEAM = 'A team:';

const tool = (name: string, load: () => Promise<Tool>): ListedCommand => ({
  name: commandName(name),
  group: presentation(name).group,
  load: async () => {
    const loaded = await load();
    return (cli, finish) => toolCommand(cli, loaded, finish);
  },
});
const command = (name: string, group: string, load: () => Promise<MakeCommand>): ListedCommand => ({
  name,
  group,
  load,
});

/** `import` and `review` call the tools that are missing here: `memory_import` and `settle`. */
const COMMANDS: readonly ListedCommand[] = [
  tool('memory_store', async () => (await import('../tools/memory-store')).memoryStore),
  tool('memory_recall', async () => (await import('../tools/memory-recall')).memoryRecall),
  tool('memory_about', async () => (await import('../tools/memory-about')).memoryAbout),
  tool('memory_why', async () => (await import('../tools/memory-why')).memoryWhy),
  tool('memory_timeline', async () => (await import('../tools/memory-timeline')).memoryTimeline),
  tool('memory_end_session', async () => (await import('../tools/memory-end-session')).memoryEndSession),
  tool('memory_forget', async () => (await import('../tools/memory-forget')).memoryForget),
  tool('memory_verify', async () => (await import('../tools/memory-verify')).memoryVerify),
  tool('memory_stats', async () => (await import('../tools/memory-stats')).memoryStats),
  tool('memory_start_session', async () => (await import('../tools/memory-start-session')).memoryStartSession),
  tool('memory_list_sessions', async () => (await import('../tools/memory-list-sessions')).memoryListSessions),
  tool('memory_clear_session', async () => (await import('../tools/memory-clear-session')).memoryClearSession),
  tool('memory_for_code', async () => (await import('../tools/memory-for-code')).memoryForCode),
  tool('memory_to_code', async () => (await import('../tools/memory-to-code')).memoryToCode),
  tool('memory_switch_namespace', async () => (await import('../tools/memory-switch-namespace')).memorySwitchNamespace),
  tool('memory_verify_staleness', async () => (await import('../tools/memory-verify-staleness')).memoryVerifyStaleness),
  tool('node', async () => (await import('../tools/node')).node),
  tool('nodes', async () => (await import('../tools/nodes')).nodes),
  tool('groups', async () => (await import('../tools/groups')).groups),
  tool('entities', async () => (await import('../tools/entities')).entities),
  tool('chronicle', async () => (await import('../tools/chronicle')).chronicle),
  tool('namespaces', async () => (await import('../tools/namespaces')).namespaces),
  tool('graph', async () => (await import('../tools/graph')).graph),
  tool('history', async () => (await import('../tools/history')).history),
  tool('restore', async () => (await import('../tools/restore')).restore),
  command('review', RIGHT, async () => (await import('./commands/review')).reviewCommand),
  tool('audit', async () => (await import('../tools/audit')).audit),
  tool('sessions', async () => (await import('../tools/sessions')).sessions),
  tool('link', async () => (await import('../tools/link')).link),
  tool('share', async () => (await import('../tools/share')).share),
  tool('team', async () => (await import('../tools/team')).team),
  tool('undo', async () => (await import('../tools/undo')).undo),
  command('check', CODE, async () => (await import('./commands/check')).checkCommand),
  tool('compare', async () => (await import('../tools/compare')).compare),
  tool('why_here', async () => (await import('../tools/why-here')).whyHere),
  command('status', STORE_GROUP, async () => (await import('./commands/status')).statusCommand),
  command('init', STORE_GROUP, async () => (await import('./commands/init')).initCommand),
  command('trust', STORE_GROUP, async () => (await import('./commands/trust')).trustCommand),
  command('consolidate', STORE_GROUP, async () => (await import('./commands/consolidate')).consolidateCommand),
  command('export', STORE_GROUP, async () => (await import('./commands/export')).exportCommand),
  command('import', STORE_GROUP, async () => (await import('./commands/import')).importCommand),
  command('backup', STORE_GROUP, async () => (await import('./commands/backup')).backupCommand),
  command('restore-backup', STORE_GROUP, async () => (await import('./commands/restore-backup')).restoreBackupCommand),
  command('doctor', STORE_GROUP, async () => (await import('./commands/doctor')).doctorCommand),
  command('completion', STORE_GROUP, async () => (await import('./commands/completion')).completionCommand(PROGRAM)),
  command('setup', AGENTS, async () => (await import('./commands/setup')).setupCommand),
  command('hooks', AGENTS, async () => (await import('./commands/agent-files')).hooksCommand),
  command('agents-block', AGENTS, async () => (await import('./commands/agent-files')).agentsBlockCommand),
  command('hook', AGENTS, async () => (await import('./commands/hook')).hookCommand),
  command('ci', TEAM, async () => (await import('./commands/ci')).ciCommand),
  command('login', TEAM, async () => (await import('./commands/login')).loginCommand),
  command('promote', TEAM, async () => (await import('./commands/promote')).promoteCommand),
  command('serve', TEAM, async () => (await import('./commands/serve')).serveCommand),
  command('admin', TEAM, async () => (await import('./commands/admin')).adminCommand),
];

/** In the order of the help. */
export const LISTED_COMMANDS: readonly ListedCommand[] = [...GROUPS, AGENTS, TEAM].flatMap((group) =>
  COMMANDS.filter((one) => one.group === group),
);
