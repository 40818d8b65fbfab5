/** What a person has read of a page when a key comes. */
import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Comparison } from '../../../protocol/tool-values';
import type { Memories, Place } from '../../memories';
import { codeFile } from '../code-file';
import type { Decision } from './decided-words';

const SLOW_MS = 500;

/** Whether it says that the code as it is now was looked at. */
export function vouches(decision: Decision): boolean {
  return decision === 'confirm' || decision === 'dismiss';
}

/** What is known of the code of a memory. */
export interface Look {
  readonly compared: Comparison;
  /** Those that it is in now. */
  readonly files: readonly vscode.Uri[];
  /** See `writtenAt`. */
  readonly written: string;
}

/** What was written so long before it was read is not written at that time. */
const SETTLED_MS = 2_000;

/** Reads the code of a memory, then and now. */
export async function lookAt(memories: Memories, place: Place, nodeId: string): Promise<Look> {
  const readAt = Date.now();
  const compared = await memories.call<Comparison>(place, 'compare', { node_id: nodeId });
  const { root } = await memories.state(place);
  const paths = new Set(compared.symbols.flatMap(({ now }) => now?.file_path ?? []));
  const files = [...paths].map((path) => codeFile(place, root, path));
  return { compared, files, written: await writtenAt(files, readAt - SETTLED_MS) };
}

/** Whether the code is as it was looked at. It is only read again where its files were written since. */
export async function isAsSeen(memories: Memories, place: Place, { compared, files, written }: Look): Promise<boolean> {
  if (written !== '' && written === (await writtenAt(files, Number.POSITIVE_INFINITY))) return true;
  return isSameCode(await memories.call<Comparison>(place, 'compare', { node_id: compared.node.id }), compared);
}

/**
 * When files were written last, as the disk says, which no program can set; empty where one was at this time or after it.
 * @param before in milliseconds since 1970
 */
async function writtenAt(files: readonly vscode.Uri[], before: number): Promise<string> {
  const times = await Promise.all(files.map(async ({ fsPath }) => (await stat(fsPath)).ctimeMs)).catch(() => []);
  return times.some((time) => time >= before) ? '' : times.join(' ');
}

export function isSameCode(one: Comparison, other: Comparison): boolean {
  const [texts, others] = [one, other].map(({ symbols }) => symbols.map(({ text_now }) => text_now));
  return isDeepStrictEqual(texts, others);
}

/** Says so where the next page, or the end, takes long, so that nobody asks whether a key was taken. */
export async function slowly(page: Promise<void>, what: 'read' | 'stored'): Promise<void> {
  const slow = setTimeout(() => {
    const message =
      what === 'read'
        ? vscode.l10n.t('$(sync~spin) The next one is being read. Keys count again when it is there.')
        : vscode.l10n.t('$(sync~spin) What was decided is being stored.');
    // The caller tells of what failed.
    vscode.window.setStatusBarMessage(
      message,
      page.catch(() => undefined),
    );
  }, SLOW_MS);
  await page.finally(() => clearTimeout(slow));
}
