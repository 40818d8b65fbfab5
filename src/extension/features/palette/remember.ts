/** The command "Remember Selection…". */
import * as vscode from 'vscode';
import { CHOICE_ORDER, type MemoryKind } from '../../../kinds/kinds';
import { kindIcon, kindName } from '../../kinds';
import { withoutLinks } from '../../stored-text';
import { doneBy, tellDone } from '../tell-done';
import { askLine, type Doing, type PaletteCommand } from './command';
import { codePath, symbolAt } from './symbol-at';

/** More than this is a document, not a statement. */
const LONGEST_PREFILL = 2_000;

/** `agentMemory.remember`: what is selected, or what is typed, becomes a memory on the symbol under the cursor. */
export const REMEMBER: PaletteCommand = {
  command: 'agentMemory.remember',
  writes: 'memories',
  here: true,
  run: remember,
};

async function remember(doing: Doing): Promise<void> {
  const { memories, place } = doing;
  const active = vscode.window.activeTextEditor;
  const selected = active ? active.document.getText(active.selection).trim().slice(0, LONGEST_PREFILL) : '';
  const around = active && active.document.uri.scheme === 'file' ? await entitiesAt(doing, active) : [];

  const kind = await chooseKind();
  if (kind === undefined) return;
  const content = await askLine({
    title: vscode.l10n.t('Remember: {0}', kindName(kind)),
    prompt: vscode.l10n.t('Write one statement that can be understood on its own.'),
    value: selected.replace(/\s+/g, ' '),
  });
  if (content === undefined) return;
  const reasons = kind === 'decision' ? await askReasons() : {};
  if (reasons === undefined) return;
  const entities = await vscode.window.showInputBox({
    title: vscode.l10n.t('What is it about?'),
    prompt: vscode.l10n.t('Names separated by commas: functions, files, components, people. May be empty.'),
    value: around.join(', '),
    ignoreFocusOut: true,
  });
  if (entities === undefined) return;
  const { operation } = await memories.act(place, 'memory_store', {
    content,
    kind,
    ...reasons,
    entities: listed(entities, ','),
  });
  tellDone(memories, vscode.l10n.t('Remembered: {0}', withoutLinks(content)), doneBy(place, operation));
}

async function chooseKind(): Promise<MemoryKind | undefined> {
  const items = CHOICE_ORDER.map((memoryKind) => ({
    label: kindName(memoryKind),
    iconPath: kindIcon(memoryKind),
    memoryKind,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Remember'),
    placeHolder: vscode.l10n.t('What kind of memory?'),
    ignoreFocusOut: true,
  });
  return chosen?.memoryKind;
}

/** @returns undefined when the person gave up */
async function askReasons(): Promise<{ rationale?: string; alternatives_rejected?: string[] } | undefined> {
  const rationale = await vscode.window.showInputBox({
    title: vscode.l10n.t('Why was this decided?'),
    prompt: vscode.l10n.t('May be empty.'),
    ignoreFocusOut: true,
  });
  if (rationale === undefined) return undefined;
  const rejected = await vscode.window.showInputBox({
    title: vscode.l10n.t('Which alternatives were rejected?'),
    prompt: vscode.l10n.t('Separated by semicolons. May be empty.'),
    ignoreFocusOut: true,
  });
  if (rejected === undefined) return undefined;
  const alternatives_rejected = listed(rejected, ';');
  return {
    ...(rationale.trim() === '' ? {} : { rationale: rationale.trim() }),
    ...(alternatives_rejected.length === 0 ? {} : { alternatives_rejected }),
  };
}

/** `path#name` says which of several functions of one name is meant. */
async function entitiesAt(doing: Doing, active: vscode.TextEditor): Promise<string[]> {
  const path = codePath(doing.place, active.document.uri);
  if (path === undefined) return [];
  const symbol = await symbolAt(doing, active.document, active.selection.active);
  return [symbol === undefined ? path : `${path}#${symbol}`];
}

function listed(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
