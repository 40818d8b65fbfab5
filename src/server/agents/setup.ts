/** Sets up the agents of a machine and a project, and takes that back: docs/behaviour.md, "Setting up agents". */
import { existsSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { conflict, SvcError, unavailable } from '../base/errors';
import { lastingFolders, resolveCommand } from '../base/executables';
import { changedLines, type DiffLine } from '../base/line-diff';
import { shownPath } from '../base/text';
import { type AgentText, readAgain, readProjectText, readUserText, refuseToFollow, writeText } from './agent-text';
import { deadEntry } from './client-config';
import { hasExtension, type Machine, signOf } from './find-hosts';
import { withHooks, withoutHooks } from './hook-entries';
import { HOST_FILES, USER_HOOKS } from './hook-hosts';
import { holdsNothing, hookCall } from './hooks';
import { BLOCK_NAMES } from './host-names';
import { HOSTS, type Host, type Start, userFile } from './hosts';
import { filesForBlock, filesWithText, withBlock, withoutBlocks } from './instructions-block';
import { forgetOriginal, keepOriginal, originalOf } from './kept-originals';
import { asNode, SERVERS } from './register-servers';
import type { Entry } from './server-forms';

export interface SetupPlace extends Machine {
  /** The folder of the built programs. */
  readonly programs: string;
  readonly node: string;
  /** The extension runs, and tells VS Code of the servers. */
  readonly extension: boolean;
}

export type SetupAction = 'write' | 'remove';

/** What a change is about. */
type Part = 'servers' | 'hooks' | 'block';

export interface SetupChange {
  readonly path: string;
  /** As people know it: `.mcp.json`, `~/.codex/config.toml`. */
  readonly shown: string;
  readonly part: Part;
  readonly lines: readonly DiffLine[];
}

/** What setting up one agent, or removing that, would do. */
export interface SetupPlan {
  readonly id: string;
  readonly name: string;
  readonly changes: readonly SetupChange[];
  readonly notes: readonly string[];
  /** Why nothing can be done for it; then there are no changes. */
  readonly problem: SvcError | undefined;
  /** Writes all changes. @throws SvcError conflict when a file is not as it was looked at, and as writeText */
  readonly apply: () => void;
}

/** An edit of one file. */
interface Step {
  readonly part: Part;
  readonly file: AgentText;
  readonly shown: string;
  readonly edit: (text: string) => string;
  /** Takes out again all that this agent has in the file. */
  readonly clean: (text: string) => string;
}

/** The agents that are here, each with what it is known by, and AGENTS.md where one of them needs it. */
export function foundAgents(place: SetupPlace): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const needing: string[] = [];
  for (const host of HOSTS) {
    const sign = signOf(host, place);
    if (sign === undefined) continue;
    found.set(host.id, sign);
    if (!host.instructions || host.hooks === undefined) needing.push(host.name);
  }
  if (needing.length > 0) found.set('agents-md', `for ${needing.join(', ')}`);
  return found;
}

/** @param id one of SETUP_IDS */
export function planSetup(place: SetupPlace, id: string, action: SetupAction): SetupPlan {
  const host = HOSTS.find((one) => one.id === id);
  const about = { id, name: host?.name ?? BLOCK_NAMES['agents-md'] };
  const notes: string[] = [];
  try {
    const steps = host ? stepsOf(host, place, action, notes) : blockSteps(place, action);
    return { ...about, notes, problem: undefined, ...changesOf(steps, place, action) };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { ...about, notes, problem: error, changes: [], apply: () => {} };
  }
}

type Scope = 'project' | 'user';

function stepsOf(host: Host, place: SetupPlace, action: SetupAction, notes: string[]): Step[] {
  if (action === 'remove') {
    const scopes = ['project', 'user'] as const;
    return scopes.flatMap((scope) => [...serverSteps(host, place, scope, notes), ...hookSteps(host, place, scope)]);
  }
  const scope = scopeOf(place);
  const isTold = host.id === 'vscode' && (place.extension || hasExtension(place.home));
  if (isTold) notes.push('The extension "Agent Memory" tells it of the servers.');
  const servers = isTold ? [] : serverSteps(host, place, host.files.project === undefined ? 'user' : scope, notes);
  return [...servers, ...hookSteps(host, place, scope)];
}

/** Files of a project go to others, who have our commands elsewhere: no path of this machine stands in them. */
function scopeOf({ root, searchPath }: SetupPlace): Scope {
  const lasting = lastingFolders(searchPath);
  const bare = [...SERVERS.map(({ command }) => command), 'svc-memory'];
  return bare.every((command) => resolveCommand(command, root, lasting) !== undefined) ? 'project' : 'user';
}

function fileIn(scope: Scope, { root, home }: SetupPlace, name: string): Pick<Step, 'file' | 'shown'> {
  return scope === 'project'
    ? { file: readProjectText(root, name), shown: name }
    : { file: readUserText(home, name), shown: `~/${name}` };
}

function serverSteps(host: Host, place: SetupPlace, scope: Scope, notes: string[]): Step[] {
  const name = scope === 'project' ? host.files.project : userFile(host, process.platform);
  if (name === undefined) return [];
  const { file, shown } = fileIn(scope, place, name);
  const clean = (text: string): string => {
    const ours = [...host.form.read(file.path, text)].filter(([, entry]) => isOurs(entry)).map(([server]) => server);
    return ours.length === 0 ? text : host.form.remove(file.path, text, ours);
  };
  const edit = (text: string): string => {
    const { entries, others } = wantedEntries(host, place, scope, file.path, text);
    for (const other of others) notes.push(`${shown} has another server "${other}", which was left as it is.`);
    return entries.size === 0 ? text : host.form.write(file.path, text, entries);
  };
  return [{ part: 'servers', file, shown, edit, clean }];
}

/** The entries that have to be written so that the host starts our servers, and the names that others have taken. */
function wantedEntries(host: Host, place: SetupPlace, scope: Scope, path: string, text: string) {
  const present = host.form.read(path, text);
  const entries = new Map<string, Entry>();
  const others = SERVERS.flatMap(({ name }) => {
    const there = present.get(name);
    return there && !isOurs(there) ? [name] : [];
  });
  const isStale = SERVERS.some(({ name }) => !others.includes(name) && !isGood(present.get(name), place, scope));
  for (const { name, command, description } of isStale ? SERVERS : []) {
    const there = present.get(name);
    if (others.includes(name) || isGood(there, place, scope)) continue;
    const wanted = host.entry(startOf(command, place), { name, description });
    const without = there && 'args' in there && !('args' in wanted) ? { args: [] } : {};
    entries.set(name, { ...there, ...without, ...wanted });
  }
  return { entries, others };
}

function startOf(command: string, { root, programs, node, searchPath }: SetupPlace): Start {
  if (resolveCommand(command, root, lastingFolders(searchPath)) !== undefined) return { command, args: [], env: {} };
  const program = join(programs, `${command}.js`);
  if (!existsSync(program)) {
    throw unavailable(`This installation has no ${shownPath(program)}`, 'Install svc-memory again');
  }
  return { command: node, args: [program], env: asNode(node) };
}

const OUR_PROGRAM = new RegExp(`^(?:${SERVERS.map(({ command }) => command).join('|')})(?:\\.[cm]?js|\\.cmd|\\.exe)?$`);

/** Whether it starts one of our servers, whatever installation wrote it. */
function isOurs(entry: Entry): boolean {
  return commandOf(entry).some((word) => OUR_PROGRAM.test(basename(word.replaceAll('\\', '/'))));
}

/** Whether it is there, starts something, and names no path of this machine to others. */
function isGood(entry: Entry | undefined, { root, searchPath }: SetupPlace, scope: Scope): boolean {
  if (!entry) return false;
  const [command, ...args] = commandOf(entry);
  if (scope === 'project' && [command, ...args].some((word) => word !== undefined && isAbsolute(word))) return false;
  return deadEntry({ command, args }, root, lastingFolders(searchPath)) === undefined;
}

/** Some hosts have the arguments in the same list. */
function commandOf({ command, args }: Entry): string[] {
  return [command, args].flat().filter((word) => typeof word === 'string');
}

function hookSteps({ hooks }: Host, place: SetupPlace, scope: Scope): Step[] {
  if (hooks === undefined) return [];
  const name = (scope === 'project' ? HOST_FILES[hooks].path : USER_HOOKS[hooks]).replaceAll('\\', '/');
  const { file, shown } = fileIn(scope, place, name);
  return [
    {
      ...{ part: 'hooks', file, shown },
      edit: (text) => withHooks(hooks, file.path, text, hookCall(place)),
      clean: (text) => withoutHooks(hooks, file.path, text),
    },
  ];
}

function blockSteps({ root }: SetupPlace, action: SetupAction): Step[] {
  const files = action === 'write' ? filesForBlock(root) : filesWithText(root);
  return files.map((file) => ({
    ...{ part: 'block', file, shown: shownIn(root, file), edit: withBlock, clean: withoutBlocks },
  }));
}

function shownIn(root: string, { path }: AgentText): string {
  return path.slice(root.length + 1).replaceAll('\\', '/');
}

/** One file, and what several steps make of it. */
interface Draft {
  readonly file: AgentText;
  text: string | undefined;
  readonly cleaners: Step['clean'][];
}

function changesOf(steps: readonly Step[], { home }: SetupPlace, action: SetupAction) {
  const drafts = new Map<string, Draft>();
  const changes: SetupChange[] = [];
  for (const { part, file, shown, edit, clean } of steps) {
    const draft = drafts.get(file.path) ?? { file, text: file.text, cleaners: [] };
    const before = draft.text;
    draft.cleaners.push(clean);
    drafts.set(file.path, draft);
    draft.text = action === 'write' ? edit(before ?? '') : removed(home, draft);
    // No file and an empty one are the same to an edit.
    if (draft.text === '' && before === undefined) draft.text = undefined;
    if (draft.text === before) continue;
    refuseToFollow(file);
    changes.push({ path: file.path, shown, part, lines: changedLines(before ?? '', draft.text ?? '') });
  }
  const changed = [...drafts.values()].filter(({ file, text }) => text !== file.text);
  const apply = (): void => {
    for (const draft of changed) applyTo(home, draft, action);
  };
  return { changes, apply };
}

/** The text without what is ours: as it was, where that is known. */
function removed(home: string, { file, text, cleaners }: Draft): string | undefined {
  if (text === undefined) return undefined;
  const original = originalOf(home, file.path, text);
  return original === 'no' ? cleaned(text, cleaners) : original.text;
}

function cleaned(text: string, cleaners: readonly Step['clean'][]): string | undefined {
  const rest = cleaners.reduce((left, clean) => clean(left), text);
  return rest !== text && holdsNothing(rest) ? undefined : rest;
}

function applyTo(home: string, { file, text, cleaners }: Draft, action: SetupAction): void {
  const now = readAgain(file).text;
  if (now !== file.text) {
    throw conflict(`${shownPath(file.path)} was changed meanwhile`, 'It was left as it is. Run this again');
  }
  if (action === 'remove' || text === undefined) {
    writeText(file, text);
    forgetOriginal(home, file.path);
    return;
  }
  const original = removed(home, { file, text: now, cleaners });
  try {
    if (cleaned(text, cleaners) === original) forgetOriginal(home, file.path);
    else keepOriginal(home, file.path, original, text);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw unavailable(
      `What ${shownPath(file.path)} says now cannot be kept in ${shownPath(join(home, '.svc', 'setup'))}`,
      'It was left as it is. Give this user the right to write there',
    );
  }
  writeText(file, text);
}
