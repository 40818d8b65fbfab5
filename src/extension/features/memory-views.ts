/** Registers the side bar and everything that belongs to it. */
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { ForeignStores } from '../foreign-stores';
import type { Memories } from '../memories';
import { dropOnCode } from './anchor';
import { beforeCommit } from './before-commit/before-commit';
import { currentLine } from './current-line';
import { openDoubts } from './doubts';
import { memoryActions } from './memory-actions';
import { reviewFlow } from './review/review-flow';
import { showChange } from './review/show-change';
import { rowKeys } from './side-bar/row-keys';
import { sideBar } from './side-bar/side-bar';
import { sourceActions } from './source-actions';
import { stalenessDecorations } from './staleness-decorations';
import { statusBar } from './status-bar';
import { switchNamespace } from './switch-namespace';
import { symbolMemories } from './symbol-memories';
import { toggleCodeLens } from './toggle-code-lens';
import { underWay } from './under-way';

/** Where people see what is remembered and what has gone stale, and what they do about it. */
export function memoryViews(editor: Editor, memories: Memories, foreign: ForeignStores): vscode.Disposable {
  const doubts = openDoubts(editor, memories);
  const inHand = underWay();
  const bar = sideBar(editor, memories, doubts, foreign);
  const flow = reviewFlow(editor, memories, foreign, bar.follow);
  const before = beforeCommit(editor, memories, foreign, flow);
  return vscode.Disposable.from(
    bar,
    memoryActions(editor, memories, foreign, { reveal: bar.reveal, inHand }),
    sourceActions(editor, memories, foreign),
    symbolMemories(editor, memories, doubts),
    switchNamespace(editor, memories),
    stalenessDecorations(editor, memories),
    statusBar(editor, memories),
    toggleCodeLens(),
    currentLine(editor, memories),
    dropOnCode(editor, memories, foreign, inHand),
    flow,
    showChange(editor, memories, doubts, flow),
    before,
    rowKeys({ ...bar.keyed, ...before.keyed }),
    doubts,
  );
}
