/** What a person has read of a page when a key comes. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Comparison } from '../../../protocol/tool-values';
import type { Memories, Place } from '../../memories';
import type { Decision } from './decided-words';

const SLOW_MS = 500;

/** Whether it says that the code as it is now was looked at. */
export function vouches(decision: Decision): boolean {
  return decision === 'confirm' || decision === 'dismiss';
}

/** The code of a memory, then and now. */
export function lookAt(memories: Memories, place: Place, nodeId: string): Promise<Comparison> {
  return memories.call<Comparison>(place, 'compare', { node_id: nodeId });
}

export function isSameCode(one: Comparison, other: Comparison): boolean {
  const [texts, others] = [one, other].map(({ symbols }) => symbols.map(({ text_now }) => text_now));
  return isDeepStrictEqual(texts, others);
}

export function isInDoubt({ symbols }: Comparison): boolean {
  return symbols.some(({ verdict }) => verdict === 'changed' || verdict === 'gone');
}

/** Whether what was in doubt no longer waits though its code is as it was read: it was confirmed, closed or forgotten meanwhile. */
export function isSettledSince(before: Comparison, now: Comparison): boolean {
  const { valid_until, tombstoned } = now.node;
  if (valid_until !== null || tombstoned === 1) return true;
  if (isInDoubt(now)) return false;
  // Those that are not in doubt may stand beside it now.
  const texts = new Set(now.symbols.map(({ text_now }) => text_now));
  return before.symbols.every(({ text_now }) => texts.has(text_now));
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
