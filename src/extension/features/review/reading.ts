/** What a person has read of a page when a key comes. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Comparison } from '../../../protocol/tool-values';
import type { Decision } from './decided-words';

const SLOW_MS = 500;

/** Whether it says that the code as it is now was looked at. */
export function vouches(decision: Decision): boolean {
  return decision === 'confirm' || decision === 'dismiss';
}

export function isSameCode(one: Comparison, other: Comparison): boolean {
  const [texts, others] = [one, other].map(({ symbols }) => symbols.map(({ text_now }) => text_now));
  return isDeepStrictEqual(texts, others);
}

/** Says so where the next page takes long, so that nobody asks whether a key was taken. */
export async function reading(page: Promise<void>): Promise<void> {
  const slow = setTimeout(() => {
    const message = vscode.l10n.t('$(sync~spin) The next one is being read. Keys count again when it is there.');
    // The caller tells of what failed.
    vscode.window.setStatusBarMessage(
      message,
      page.catch(() => undefined),
    );
  }, SLOW_MS);
  await page.finally(() => clearTimeout(slow));
}
