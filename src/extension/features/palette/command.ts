/** What a command of the palette is. */
import * as vscode from 'vscode';
import type { Editor } from '../../editor';
import type { ForeignStores } from '../../foreign-stores';
import type { Memories, Place } from '../../memories';
import { described } from '../../output';
import { placeIn } from '../../place';
import { requireNoLostStore } from '../lost-store-notice';
import { targetsOf } from '../memory-targets';
import { pickPlace } from '../pick-memory';
import { requireOwnStore, requireTrust } from '../require-trust';
import { tellRefusal } from '../tell-done';
import { hasStore, memoryFolder } from './memory-folder';

/** A command of the palette, in one folder. */
export interface PaletteCommand {
  readonly command: string;
  /** Neither is offered to a workspace that is not trusted; and what writes memories, not where the store is foreign. */
  readonly writes: 'memories' | 'files' | false;
  /** The command works on the active editor, so it uses the folder of that editor. */
  readonly here?: true;
  /** Without anything remembered there is nothing to do; `or a team`: what a team remembers is enough. */
  readonly needsStore?: true | 'or a team';
  /** It is the person's word that a new store may take the place of a lost one. */
  readonly begins?: true;
  readonly run: (doing: Doing) => Promise<void>;
}

export interface Doing {
  readonly editor: Editor;
  readonly memories: Memories;
  readonly place: Place;
  /** What the command was called with: a file of the explorer, say. */
  readonly argument: unknown;
}

/** Registers commands that ask for the folder where several are open, and tell what went wrong in words. */
export function registerPalette(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  commands: readonly PaletteCommand[],
): vscode.Disposable {
  return vscode.Disposable.from(
    ...commands.map(({ command, writes, here, needsStore, begins, run }) =>
      vscode.commands.registerCommand(command, async (argument: unknown) => {
        if (writes && !requireTrust()) return;
        try {
          const place = placeOf(editor, argument, here === true) ?? (await pickPlace(editor));
          if (!place) return;
          if (needsStore && !(await hasSomething(memories, place, needsStore))) return;
          if (writes === 'memories' && !(await requireOwnStore(memories, foreign, place))) return;
          if (writes === 'memories' && !begins && !(await requireNoLostStore(memories, place))) return;
          await run({ editor, memories, place, argument });
        } catch (error) {
          editor.log.warn(`${command}: ${described(error)}`);
          tellRefusal(error);
        }
      }),
    ),
  );
}

/** Says so where there is nothing. */
async function hasSomething(memories: Memories, place: Place, needs: true | 'or a team'): Promise<boolean> {
  const isTeamEnough = needs === 'or a team' && !memoryFolder(place).store.exists;
  if (isTeamEnough && (await memories.team(place).catch(() => null)) !== null) return true;
  return hasStore(place);
}

/** A file or a folder, a memory, `{folder}`; else what the editor is about. */
function placeOf(editor: Editor, argument: unknown, here: boolean): Place | undefined {
  const active = here ? vscode.window.activeTextEditor?.document.uri : undefined;
  const uri = argument instanceof vscode.Uri ? argument : active;
  if (uri) {
    const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    return folder && placeIn(editor, folder);
  }
  const [target] = targetsOf(editor, argument, undefined);
  if (target) return target.place;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { folder } = argument as Record<string, unknown>;
  return typeof folder === 'string' ? placeIn(editor, vscode.Uri.parse(folder)) : undefined;
}

/** A line that has to be said. @returns undefined when the person does not want to */
export async function askLine(options: vscode.InputBoxOptions): Promise<string | undefined> {
  const line = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Type something, or press Escape.') : undefined),
    ...options,
  });
  return line?.trim();
}
