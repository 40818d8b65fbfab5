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

export async function copyLinks(memories: Memories, targets: readonly Target[]): Promise<undefined> {
  const links = (await nodesOf(memories, targets)).map((node) => markdownLink(EXTENSION, node));
  await vscode.env.clipboard.writeText(links.join('\n'));
  tellCopied();
}

export async function copyTexts(memories: Memories, targets: readonly Target[]): Promise<undefined> {
  const texts = (await nodesOf(memories, targets)).map(({ content }) => content);
  await vscode.env.clipboard.writeText(texts.join('\n'));
  tellCopied();
}

function tellCopied(): void {
  vscode.window.setStatusBarMessage(`$(clippy) ${vscode.l10n.t('Copied')}`, TOLD_MS);
}

/** They go to the cursor, beside what stands in the input already, and wait until a person sends it. */
export async function insertIntoChat(memories: Memories, targets: readonly Target[]): Promise<undefined> {
  const text = (await nodesOf(memories, targets))
    .map(({ id, kind, content }) => `${kindName(kind)} ${id}: ${plainLine(content, MAX_IN_CHAT)}\n`)
    .join('');
  await vscode.commands.executeCommand(OPEN_CHAT);
  if (!isBroughtBack) {
    await new Promise((resolve) => setTimeout(resolve, BROUGHT_BACK_MS));
    isBroughtBack = true;
  }
  if (await isPasted(endsInWord() ? ` ${text}` : text)) return undefined;
  await vscode.commands.executeCommand(OPEN_CHAT, { query: text, isPartialQuery: true });
  return undefined;
}

/** Of the documents that the inputs of chats are. They are in no editor that an extension sees. */
const CHAT_INPUT = 'chatSessionInput';

/** Whether what stands in an input has to be kept apart from what follows. */
function endsInWord(): boolean {
  const inputs = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === CHAT_INPUT);
  return inputs.some((input) => /\S$/u.test(input.getText()));
}

/**
 * Puts the text where the keys go. A chat that does not take them, such as one that asks to sign in, may leave them with the
 * code: that is taken back.
 * @returns whether the input of a chat got it
 */
async function isPasted(text: string): Promise<boolean> {
  let scheme: string | undefined;
  const watching = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.some((change) => change.text.includes(text.trim()))) scheme = document.uri.scheme;
  });
  try {
    await vscode.commands.executeCommand('paste', { text, pasteOnNewLine: false });
    if (scheme !== undefined && scheme !== CHAT_INPUT) await vscode.commands.executeCommand('undo');
    return scheme === CHAT_INPUT;
  } finally {
    watching.dispose();
  }
}

function nodesOf(memories: Memories, targets: readonly Target[]): Promise<NodeDetails[]> {
  return Promise.all(targets.map(({ place, nodeId }) => memories.call<NodeDetails>(place, 'node', { id: nodeId })));
}
