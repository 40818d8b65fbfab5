/** Shows what an agent gets, as text. */
import * as vscode from 'vscode';
import type { AgentTextTool, FromExplorer } from '../../../protocol/explorer';
import type { Editor } from '../../editor';
import type { Memories } from '../../memories';
import { placeIn } from '../../place';
import { withoutLinks } from '../../stored-text';
import { tellRefusal } from '../tell-done';

const SCHEME = 'agent-memory-answer';
/**
 * Read-only Markdown, declared in package.json. In the editor's own Markdown a click on `[words](command:…)` runs the
 * command, and answers contain stored text of any origin.
 */
const LANGUAGE = 'agent-memory';
/** Answers that stay readable in their tabs. */
const MOST_KEPT = 50;

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

/** What a page may ask for as an agent would. */
const AGENT_TEXT_TOOLS: Readonly<Record<AgentTextTool, true>> = { memory_why: true, memory_timeline: true };

type AskedText = Omit<Extract<FromExplorer, { type: 'agentText' }>, 'type'>;

/** `agentMemory.showAgentText`: what an agent gets for something that the explorer shows. */
export function agentTexts(editor: Editor, memories: Memories, answers: Answers): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, answers),
    vscode.commands.registerCommand(
      'agentMemory.showAgentText',
      async ({ tool, folder, namespace, input }: AskedText) => {
        if (!Object.hasOwn(AGENT_TEXT_TOOLS, tool)) return;
        const uri = vscode.Uri.parse(folder);
        try {
          const text = await memories.text(namespace ? { folder: uri, namespace } : placeIn(editor, uri), tool, input);
          await answers.show(Object.values(input).join(' '), text);
        } catch (error) {
          tellRefusal(error);
        }
      },
    ),
  );
}
