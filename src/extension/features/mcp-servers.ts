/** Offers our MCP servers to the editor's agents. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import { searchPath } from '../environment';
import { type MemoryFolder, memoryFolders, watchFiles } from '../folders';
import { MCP_FILES, type McpEntry, type McpProblem, mcpEntries } from '../mcp-entries';
import { serverEnvironment, severalEnvironment } from '../server-environment';
import { onSettingChange, setting } from '../settings';
import { MAX_MESSAGE_LENGTH, plainLine, withoutLinks } from '../stored-text';
import { onTokenChange, teamOf, tokenOf } from '../team-tokens';
import { LEFT_TO_CHAT } from './chat-tools/offered';
import { tellRefusal } from './tell-done';

/** As in package.json, which has the editor ask for the servers before the extension is active. */
const PROVIDER = 'agentMemory.servers';

/** The address that a server's token is for; only the memory's server asks a team. */
const FOR_TEAM = 'SVC_MEMORY_TOKEN_FOR';
/** How often another token was given since the window was opened: nobody reads it, but it makes another server of it. */
const TOKENS_GIVEN = 'SVC_MEMORY_TOKENS_GIVEN';

/** What MCP clients call our servers, and the programs that they are. */
const SERVERS = [
  { server: 'svc-memory', program: 'svc-memory-mcp' },
  { server: 'svc', program: 'svc-mcp' },
] as const;

/**
 * Offers the memory and the code graph to the agents of the editor: one server each for all folders, because hosts show a
 * model a limited number of tools. A server that the folder's own `.mcp.json` starts is not offered a second time; an
 * entry there that nothing can start is reported.
 */
export function mcpServers(editor: Editor): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const reported = new Set<string>();
  // The log is enough: without the file, the folder is served as one that has none.
  const refused = (sentence: string): void => {
    if (!reported.has(sentence)) editor.log.warn(sentence);
    reported.add(sentence);
  };
  const offer = (): vscode.McpStdioServerDefinition[] => {
    const folders = memoryFolders();
    const definitions = SERVERS.flatMap(({ server, program }) => {
      const served = folders.filter((folder) => {
        const entries = mcpEntries(folder.path, server, program, searchPath(), refused);
        for (const entry of entries) report(editor, reported, folder, entry);
        return entries.every(({ problem }) => problem !== undefined);
      });
      const [first, ...others] = served;
      if (!first) return [];
      const isOneOfSeveral = others.length === 0 && folders.length > 1;
      const label = isOneOfSeveral ? `${server} (${first.name})` : server;
      return [definition(editor, [first, ...others], { label, program, tokensGiven })];
    });
    // Where a folder's own file starts the server, that one has all tools.
    const inChat = chatTakesTools() && definitions.some(({ label }) => label.startsWith(SERVERS[0].server));
    vscode.commands.executeCommand('setContext', 'agentMemory.chatTools', inChat);
    return definitions;
  };
  const tokensGiven = new Map<string, number>();
  let offered = '';
  const refresh = (): void => {
    // The editor restarts changed servers: an event that changes nothing must not cost an agent its session.
    const now = JSON.stringify(offer());
    if (now === offered) return;
    offered = now;
    changed.fire();
  };

  let files: vscode.Disposable[] = [];
  const watch = (): void => {
    for (const each of files) each.dispose();
    files = memoryFolders().flatMap(({ uri }) => MCP_FILES.map(({ file }) => watchFiles(uri, file, refresh)));
  };
  watch();
  // The chat has its tools before an agent asks for servers; activation does not wait for it.
  const soon = setImmediate(offer);
  const provider = vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      const servers = offer();
      offered = JSON.stringify(servers);
      editor.log.info(`Offered to agents: ${servers.map(({ label }) => label).join(', ') || 'no server'}`);
      return servers;
    },
    // Only now, so that no token stands in what the editor keeps of a server.
    async resolveMcpServerDefinition(server) {
      if (!(server instanceof vscode.McpStdioServerDefinition)) return server;
      const address = server.env[FOR_TEAM];
      const token = typeof address === 'string' ? await tokenOf(editor.context, address) : undefined;
      if (token !== undefined) server.env.SVC_MEMORY_TOKEN = token;
      return server;
    },
  });
  const others = [
    provider,
    changed,
    editor.folders.onDidChange(refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(watch),
    editor.namespaces.onDidChange(refresh),
    onSettingChange(['keep', 'tools', 'chatTools'], refresh),
    editor.teams.event(refresh),
    onTokenChange(editor.context, (address) => {
      tokensGiven.set(address, (tokensGiven.get(address) ?? 0) + 1);
      refresh();
    }),
    vscode.extensions.onDidChange(refresh),
    { dispose: () => clearImmediate(soon) },
  ];
  return { dispose: () => [...files, ...others].forEach((each) => void each.dispose()) };
}

/** The chat that takes tools of extensions. An editor without it may have agents that see tools of servers alone. */
const CHAT = 'GitHub.copilot-chat';

function chatTakesTools(): boolean {
  return setting('chatTools') && vscode.extensions.getExtension(CHAT) !== undefined;
}

interface Offered {
  readonly label: string;
  readonly program: string;
  /** By the address of a team. */
  readonly tokensGiven: ReadonlyMap<string, number>;
}

function definition(
  editor: Editor,
  [first, ...others]: readonly [MemoryFolder, ...MemoryFolder[]],
  { label, program, tokensGiven }: Offered,
): vscode.McpStdioServerDefinition {
  const elsewhere = chatTakesTools() ? LEFT_TO_CHAT : [];
  const forAgents = { keep: setting('keep'), tools: setting('tools'), elsewhere };
  const namespaceOf = ({ uri }: MemoryFolder): string => editor.namespaces.of(uri);
  const named = [first, ...others].map((folder) => ({ ...folder, namespace: namespaceOf(folder) }));
  const server = new vscode.McpStdioServerDefinition(
    label,
    process.execPath,
    [editor.program(program)],
    others.length === 0
      ? serverEnvironment(first, namespaceOf(first), forAgents)
      : severalEnvironment(named, forAgents),
    editor.version,
  );
  server.cwd = first.uri;
  // The editor starts a server again whose definition is another one.
  const team = program === SERVERS[0].program ? teamOf(editor.context, first.uri) : undefined;
  if (team !== undefined) {
    server.env[FOR_TEAM] = team;
    server.env[TOKENS_GIVEN] = String(tokensGiven.get(team) ?? 0);
  }
  return server;
}

function report(editor: Editor, reported: Set<string>, folder: MemoryFolder, entry: McpEntry): void {
  const { problem } = entry;
  if (!problem) return;
  const key = JSON.stringify([folder.uri.toString(), entry]);
  if (reported.has(key)) return;
  reported.add(key);
  const told = vscode.l10n.t(
    'The server "{0}" in {1} of {2} cannot be started: {3}. Agents get the server that comes with Agent Memory instead.',
    entry.name,
    entry.file,
    folder.name,
    problemName(problem),
  );
  // The file may come from a stranger's repository, and a link in a message may run a command.
  const message = withoutLinks(told, MAX_MESSAGE_LENGTH);
  editor.log.warn(message);
  const open = vscode.l10n.t('Open {0}', entry.file);
  vscode.window
    .showWarningMessage(message, open)
    .then(async (chosen) => {
      if (chosen === open) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, entry.file));
    })
    .then(undefined, tellRefusal);
}

function problemName(problem: McpProblem): string {
  switch (problem.what) {
    case 'no object':
      return vscode.l10n.t('it is not an object');
    case 'no command':
      return vscode.l10n.t('it names no command');
    case 'command not found':
      return vscode.l10n.t('its command "{0}" is not found', plainLine(problem.path));
    case 'program not found':
      return vscode.l10n.t('its program "{0}" does not exist', plainLine(problem.path));
  }
}
