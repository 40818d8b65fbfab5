/** The commands that open the code of memories, then and now. */
import * as vscode from 'vscode';
import type { ReviewEntry } from '../../../protocol/tool-values';
import type { Editor } from '../../editor';
import type { Memories, Place } from '../../memories';
import { described } from '../../output';
import type { Doubts } from '../doubts';
import { requireRow, targetOf } from '../memory-targets';
import { hasStore } from '../palette/memory-folder';
import { pickMemory, pickPlace } from '../pick-memory';
import { requireTrust } from '../require-trust';
import { isWholeFile } from '../side-bar/review-groups';
import { tellRefusal } from '../tell-done';
import type { Queue, ReviewFlow } from './review-flow';

/** `agentMemory.startReview`, from the first one on, and `agentMemory.showChange`, of one memory. */
export function showChange(editor: Editor, memories: Memories, doubts: Doubts, flow: ReviewFlow): vscode.Disposable {
  const command = (name: string, run: (...given: readonly unknown[]) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(name, async (...given: readonly unknown[]) => {
      // Git tells what the code was.
      if (!requireTrust()) return;
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
      const [first] = given;
      const title = vscode.l10n.t('Show the code of which memory, then and now?');
      const target =
        targetOf(editor, first) ?? (requireRow(given) ? await pickMemory(editor, memories, title, 'open') : undefined);
      if (target) await flow.show(inDoubt(doubts, target.place), target.nodeId);
    }),
  );
}

/** As the view Review lists them: what changed, then what is gone, and last what is about a whole file. */
function inDoubt(doubts: Doubts, place: Place): Queue {
  return {
    place,
    key: `doubts ${place.folder} ${place.namespace}`,
    async waiting() {
      const { entries } = await doubts.review(place);
      const rank = (entry: ReviewEntry): number => (isWholeFile(entry) ? 2 : Number(entry.verdict === 'gone'));
      return [...entries].sort((one, other) => rank(one) - rank(other)).map(({ node }) => node.id);
    },
  };
}
