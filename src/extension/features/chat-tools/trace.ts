/** Keeps which memories the chat was given, for people who want to see it. */
import * as vscode from 'vscode';
import type { MemoryArgument } from '../../../protocol/requests';
import type { NodeDetails } from '../../../protocol/tool-values';
import { afterPause } from '../../after-pause';
import type { Editor } from '../../editor';
import { counted, kindIcon, kindName, markNames } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { onSettingChange, setting } from '../../settings';
import { withoutIcons } from '../../stored-text';
import { type Entry, keyOf, lastAnswer, stillThere } from './trace-entries';

/** Notes what a tool has given the chat, or that it was nothing; unless the person has not switched it on. */
export interface Trace extends vscode.Disposable {
  note(place: Place, ids: readonly string[]): void;
}

interface Item extends vscode.QuickPickItem {
  readonly argument?: MemoryArgument;
}

const KEPT = 'chatTrace';
const MOST_ENTRIES = 50;

/** In the state of the workspace, on this machine alone. Switched off, it is deleted. */
export function openTrace({ context }: Editor, memories: Memories): Trace {
  const state = context.workspaceState;
  let entries: readonly Entry[] = state.get<Entry[]>(KEPT) ?? [];
  /** Of these, what is there now: a shared memory comes back with the branch that has its file. Nothing else is kept. */
  let there = entries;
  const item = vscode.window.createStatusBarItem('agentMemory.used', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('Memories Used in the Chat');
  item.command = 'agentMemory.usedMemories';
  const show = (): void => {
    const count = new Set(lastAnswer(there).flatMap(({ ids }) => ids)).size;
    if (count === 0) {
      item.hide();
      return;
    }
    const words = vscode.l10n.t('Used {0}', counted.memories(count));
    item.text = `$(book) ${words}`;
    item.accessibilityInformation = { label: words, role: 'button' };
    item.tooltip = vscode.l10n.t('What the chat was given last');
    item.show();
  };
  const keep = (all: readonly Entry[], kept: readonly Entry[]): void => {
    entries = all;
    there = kept;
    state.update(KEPT, kept.length === 0 ? undefined : kept);
    show();
  };
  /** What was forgotten or purged goes out of the trace, too. */
  const forget = afterPause(async () => {
    const asked = entries;
    if (asked.length === 0) return;
    // A store that cannot be read just now says nothing of what it holds.
    for (const { folder, namespace } of asked) {
      const state = await memories.state({ folder: vscode.Uri.parse(folder), namespace }).catch(() => undefined);
      if (!state?.store.exists || state.problem !== null) return;
    }
    const known = await lookUp(memories, asked);
    keep(entries, stillThere(entries, asked, known));
  });
  const follow = (): void => {
    if (!setting('chatTrace')) keep([], []);
    else show();
  };
  follow();
  const all = vscode.Disposable.from(
    item,
    forget,
    memories.onDidChange(({ what }) => {
      if (what.includes('memory')) forget();
    }),
    onSettingChange(['chatTrace'], follow),
    vscode.commands.registerCommand('agentMemory.usedMemories', () => showUsed(memories, there)),
  );
  return {
    note({ folder, namespace }, ids) {
      if (!setting('chatTrace')) return;
      const last = { at: Date.now(), folder: folder.toString(), namespace, ids };
      const withLast = (before: readonly Entry[]) => [...before, last].slice(-MOST_ENTRIES);
      keep(withLast(entries), withLast(there));
    },
    dispose: () => all.dispose(),
  };
}

async function lookUp(memories: Memories, entries: readonly Entry[]): Promise<ReadonlyMap<string, NodeDetails>> {
  const found = new Map<string, NodeDetails>();
  for (const entry of entries) {
    const place = { folder: vscode.Uri.parse(entry.folder), namespace: entry.namespace };
    for (const id of entry.ids) {
      if (found.has(keyOf(entry, id))) continue;
      const node = await memories.call<NodeDetails>(place, 'node', { id }).catch(() => undefined);
      if (node && node.tombstoned === 0) found.set(keyOf(entry, id), node);
    }
  }
  return found;
}

/** Answer by answer, the newest first. */
async function showUsed(memories: Memories, entries: readonly Entry[]): Promise<void> {
  const known = await lookUp(memories, entries);
  const items: Item[] = [];
  let rest = entries;
  while (rest.length > 0) {
    const answer = lastAnswer(rest);
    rest = rest.slice(0, rest.length - answer.length);
    const seen = new Set<string>();
    const rows = answer.flatMap((entry) =>
      entry.ids.flatMap((id): Item[] => {
        const node = known.get(keyOf(entry, id));
        if (!node || seen.has(keyOf(entry, id))) return [];
        seen.add(keyOf(entry, id));
        const argument = { folder: entry.folder, namespace: entry.namespace, nodeId: id };
        const icon = kindIcon(node.kind);
        const description = [kindName(node.kind), ...markNames(node)].join(' · ');
        return [{ label: withoutIcons(node.content), description, iconPath: icon, argument }];
      }),
    );
    if (rows.length === 0) continue;
    const label = new Date(answer[0]?.at ?? 0).toLocaleString(vscode.env.language);
    items.push({ label, kind: vscode.QuickPickItemKind.Separator }, ...rows);
  }
  if (items.length === 0) {
    vscode.window.showInformationMessage(vscode.l10n.t('The chat has been given no memories that are still there.'));
    return;
  }
  const title = vscode.l10n.t('Memories Used in the Chat');
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (chosen?.argument) await vscode.commands.executeCommand('agentMemory.openMemory', chosen.argument);
}
