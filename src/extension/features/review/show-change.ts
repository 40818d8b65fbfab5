/** The commands that open the code of memories, then and now. */
import * as vscode from 'vscode';
import type { ReviewEntry } from '../../../protocol/tool-values';
import type { Editor } from '../../editor';
import type { Memories, Place } from '../../memories';
import { described } from '../../output';
import { closeHover } from '../close-hover';
import type { Doubts } from '../doubts';
import { requireRow, targetOf } from '../memory-targets';
import { hasStore } from '../palette/memory-folder';
import { pickMemory, pickPlace } from '../pick-memory';
import { requireTrust } from '../require-trust';
import { isWholeFile } from '../side-bar/review-groups';
import { isOpenedByKey } from '../side-bar/row-keys';
import { tellRefusal } from '../tell-done';
import type { ReviewFlow } from './review-flow';
import type { Queue } from './walk';

/** `agentMemory.startReview`, from the first one on, and `agentMemory.showChange`, of one memory. */
export function showChange(editor: Editor, memories: Memories, doubts: Doubts, flow: ReviewFlow): vscode.Disposable {
  const command = (name: string, run: (...given: readonly unknown[]) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(name, async (...given: readonly unknown[]) => {
      // Git tells what the code was.
      if (!requireTrust()) return;
      closeHover();
      try {
        await run(...given);
      } catch (error) {
        editor.log.warn(`${name}: ${described(error)}`);
        tellRefusal(error);
      }
    });
  return vscode.Disposable.from(
    command('agentMemory.startReview', async () => {
      const place = await pickPlace(editor);
      if (place && hasStore(place)) await flow.show(inDoubt(doubts, place));
    }),
    command('agentMemory.showChange', async (...given) => {
      if (isOpenedByKey()) return;
      const [first] = given;
      const title = vscode.l10n.t('Show the code of which memory, then and now?');
      const target =
        targetOf(editor, first) ?? (requireRow(given) ? await pickMemory(editor, memories, title, 'open') : undefined);
      if (target) await flow.show(inDoubt(doubts, target.place, target.nodeId), target.nodeId);
    }),
  );
}

/**
 * As the view Review lists them: what changed, then what is gone. What is about a whole file, which the badge does not
 * count, is gone through by itself.
 * @param nodeId where to begin; else with what the badge counts, while there is any
 */
async function inDoubt(doubts: Doubts, place: Place, nodeId?: string): Promise<Queue> {
  const { entries } = await doubts.review(place);
  const asked = nodeId === undefined ? entries : entries.filter(({ node }) => node.id === nodeId);
  const ofFiles = asked.length > 0 && asked.every(isWholeFile);
  return {
    place,
    key: `${ofFiles ? 'files' : 'doubts'} ${place.folder} ${place.namespace}`,
    view: 'agentMemory.review',
    async waiting() {
      const { entries: now } = await doubts.review(place);
      const rank = (entry: ReviewEntry): number => Number(entry.verdict === 'gone');
      return now
        .filter((entry) => isWholeFile(entry) === ofFiles)
        .sort((one, other) => rank(one) - rank(other))
        .map(({ node }) => node.id);
    },
    tellNothing: () => vscode.window.showInformationMessage(vscode.l10n.t('No memory is in doubt.')),
  };
}
