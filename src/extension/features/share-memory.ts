/** Takes a memory elsewhere: into the chat, or as a link. */
import * as vscode from 'vscode';
import type { NodeDetails } from '../../protocol/tool-values';
import { kindName } from '../kinds';
import type { Memories } from '../memories';
import { plainLine } from '../stored-text';
import type { Target } from './memory-targets';
import { markdownLink } from './palette/memory-links';

/** As package.json names us. */
const EXTENSION = 'svc.svc-memory';
const MAX_IN_CHAT = 2_000;
const TOLD_MS = 3_000;

const OPEN_CHAT = 'workbench.action.chat.open';
/** A chat that opens for the first time in a window brings back what stood in its input before, and says nothing of it. */
const BROUGHT_BACK_MS = 1_500;
let isBroughtBack = false;

export async function copyLink(memories: Memories, target: Target): Promise<undefined> {
  await vscode.env.clipboard.writeText(markdownLink(EXTENSION, await nodeOf(memories, target)));
  tellCopied();
}

export async function copyText(memories: Memories, target: Target): Promise<undefined> {
  await vscode.env.clipboard.writeText((await nodeOf(memories, target)).content);
  tellCopied();
}

function tellCopied(): void {
  vscode.window.setStatusBarMessage(`$(clippy) ${vscode.l10n.t('Copied')}`, TOLD_MS);
}

/** What is written there waits until a person sends it. */
export async function insertIntoChat(memories: Memories, target: Target): Promise<undefined> {
  const { id, kind, content } = await nodeOf(memories, target);
  const query = `${kindName(kind)} ${id}: ${plainLine(content, MAX_IN_CHAT)}\n`;
  if (!isBroughtBack) {
    await vscode.commands.executeCommand(OPEN_CHAT);
    await new Promise((resolve) => setTimeout(resolve, BROUGHT_BACK_MS));
    isBroughtBack = true;
  }
  await vscode.commands.executeCommand(OPEN_CHAT, { query, isPartialQuery: true });
}

function nodeOf(memories: Memories, { place, nodeId }: Target): Promise<NodeDetails> {
  return memories.call<NodeDetails>(place, 'node', { id: nodeId });
}
