/** Registers the commands of the palette. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { ForeignStores } from '../foreign-stores';
import type { Memories } from '../memories';
import { stopPrograms } from '../programs';
import { Answers, agentTexts } from './palette/answers';
import { ASK_COMMANDS } from './palette/ask';
import { BACKUP_COMMANDS } from './palette/backups';
import { BRING } from './palette/bring';
import { CODE_COMMANDS } from './palette/code';
import { registerPalette } from './palette/command';
import { memoryLinks } from './palette/memory-links';
import { REMEMBER } from './palette/remember';
import { SESSION_COMMANDS } from './palette/sessions';
import { shareCommand } from './palette/share';
import { STORE_COMMANDS } from './palette/store';
import { USE_TEAM } from './palette/team';
import { shareWithTeam } from './share-with-team';

/** What people do from the palette, beside what they do with single memories. */
export function palette(editor: Editor, memories: Memories, foreign: ForeignStores): vscode.Disposable {
  const answers = new Answers();
  return vscode.Disposable.from(
    { dispose: stopPrograms },
    agentTexts(editor, memories, answers),
    memoryLinks(editor, memories),
    shareWithTeam(editor, memories),
    registerPalette(editor, memories, foreign, [
      ...STORE_COMMANDS,
      BRING,
      USE_TEAM,
      ...BACKUP_COMMANDS,
      ...CODE_COMMANDS,
      REMEMBER,
      ...ASK_COMMANDS,
      ...SESSION_COMMANDS,
      shareCommand(answers),
    ]),
  );
}
