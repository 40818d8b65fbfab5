/** Shows the Markdown answers of tools. */
import * as vscode from 'vscode';
import { withoutLinks } from '../../stored-text';
import { askLine, type Doing, type PaletteCommand } from './command';
import { codePath, symbolAt } from './symbol-at';

const SCHEME = 'agent-memory-answer';
/**
 * Read-only Markdown, declared in package.json. In the editor's own Markdown a click on `[words](command:…)` runs the
 * command, and answers contain stored text of any origin.
 */
const LANGUAGE = 'agent-memory';
/** Answers that stay readable in their tabs. */
const MOST_KEPT = 50;
const ANSWER_TOKENS = 2_000;

/** Answers as read-only documents: exactly what an agent would read. */
export class Answers implements vscode.TextDocumentContentProvider {
  private readonly kept = new Map<string, string>();
  private last = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.kept.get(uri.toString()) ?? vscode.l10n.t('This answer is no longer available. Ask again.');
  }

  async show(title: string, text: string): Promise<void> {
    // A title is often a question, which may hold anything; a path must not.
    const name = withoutLinks(title)
      .replace(/[\\/:*?"<>|#%]+/g, ' ')
      .trim();
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${name || vscode.l10n.t('Agent Memory')}.md`,
      query: String(++this.last),
    });
    this.kept.set(uri.toString(), text);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    const opened = await vscode.workspace.openTextDocument(uri);
    const document = await vscode.languages.setTextDocumentLanguage(opened, LANGUAGE);
    await vscode.window.showTextDocument(document, { preview: true });
  }
}

export function registerAnswers(answers: Answers): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, answers);
}

export function answerCommands(answers: Answers): readonly PaletteCommand[] {
  return [
    {
      command: 'agentMemory.recall',
      writes: false,
      needsStore: true,
      run: async ({ memories, place }) => {
        const query = await askLine({
          title: vscode.l10n.t('Recall'),
          prompt: vscode.l10n.t('A question or keywords. "project context" gives the briefing.'),
        });
        if (query === undefined) return;
        await answers.show(query, await memories.text(place, 'memory_recall', { query, budget_tokens: ANSWER_TOKENS }));
      },
    },
    {
      command: 'agentMemory.askHere',
      writes: false,
      needsStore: true,
      here: true,
      run: (doing) => askHere(doing, answers),
    },
    {
      command: 'agentMemory.why',
      writes: false,
      needsStore: true,
      run: async ({ memories, place }) => {
        const decision_ref = await askLine({
          title: vscode.l10n.t('Why?'),
          prompt: vscode.l10n.t('Words of the decision, or its id.'),
        });
        if (decision_ref === undefined) return;
        await answers.show(decision_ref, await memories.text(place, 'memory_why', { decision_ref }));
      },
    },
    {
      command: 'agentMemory.timeline',
      writes: false,
      needsStore: true,
      run: async ({ memories, place }) => {
        const topic = await askLine({
          title: vscode.l10n.t('Timeline'),
          prompt: vscode.l10n.t('A topic. Its memories are shown, oldest first.'),
        });
        if (topic === undefined) return;
        await answers.show(topic, await memories.text(place, 'memory_timeline', { topic }));
      },
    },
  ];
}

/** What is remembered of the function or class that the cursor is in, and what speaks of it in the code. */
async function askHere(doing: Doing, answers: Answers): Promise<void> {
  const active = vscode.window.activeTextEditor;
  if (active?.document.uri.scheme !== 'file') {
    vscode.window.showInformationMessage(vscode.l10n.t('Put the cursor in a function or class first.'));
    return;
  }
  const { memories, place } = doing;
  if (codePath(place, active.document.uri) === undefined) {
    vscode.window.showInformationMessage(vscode.l10n.t('This file is outside the folder of the memory.'));
    return;
  }
  const symbol = await symbolAt(doing, active.document, active.selection.active);
  const input = { file_path: active.document.uri.fsPath, line: active.selection.active.line + 1 };
  const onCode = await memories.text(place, 'memory_for_code', input);
  const about =
    symbol === undefined
      ? ''
      : await memories.text(place, 'memory_recall', { query: symbol, budget_tokens: ANSWER_TOKENS / 2 });
  await answers.show(symbol ?? vscode.workspace.asRelativePath(active.document.uri), joined(onCode, about));
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
