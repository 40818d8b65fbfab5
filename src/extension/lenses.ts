/** Lenses of the language server. */
import * as vscode from 'vscode';
import type { CodeLens, LanguageClient } from 'vscode-languageclient/node';
import type { Notifications } from '../protocol/requests';
import { LensCommands } from './lens-commands';

/**
 * So far from what is seen, lenses have their words at once. The editor moves each one that has them with each edit, so
 * that thousands of edits at once (as of a checkout) take long; those further away get theirs when they are seen.
 */
const NEAR_LINES = 60;

/** Its words are known, and given when they are asked for. */
class LensFurtherAway extends vscode.CodeLens {
  constructor(
    range: vscode.Range,
    readonly known: vscode.Command,
  ) {
    super(range);
  }
}

/**
 * Asks the language server for lenses. The editor asks for those of an open file as soon as somebody offers them, and a
 * while later when another one does; so they are offered before the server has started, and wait for it.
 */
export class Lenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly commands = new LensCommands();
  private readonly offered: vscode.Disposable;
  /** The editor was told that there are none, before there was a server to ask. */
  private unanswered = false;
  readonly onDidChangeCodeLenses = this.changed.event;

  /** @param server undefined where no folder has memories, and where the server is left alone */
  constructor(private readonly server: () => Promise<LanguageClient> | undefined) {
    this.offered = vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this);
  }

  /** To be called once for each client, before it is started. */
  follow(client: LanguageClient): void {
    client.onNotification('svc/lensesChanged' satisfies keyof Notifications, () => this.refresh());
    if (this.unanswered) this.refresh();
  }

  /** Has the editor ask again. */
  refresh(): void {
    this.unanswered = false;
    this.changed.fire();
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[] | undefined> {
    const server = this.server();
    if (!server) {
      this.unanswered = true;
      return undefined;
    }
    const client = await server;
    try {
      const params = client.code2ProtocolConverter.asCodeLensParams(document);
      const found = await client.sendRequest<CodeLens[] | null>('textDocument/codeLens', params, token);
      const lenses = token.isCancellationRequested
        ? null
        : await client.protocol2CodeConverter.asCodeLenses(found, token);
      const seen = seenLines(document);
      // Our server sends none without words.
      return lenses?.flatMap(({ range, command }) => {
        if (!command) return [];
        return seen.some((lines) => lines.intersection(range))
          ? new vscode.CodeLens(range, this.commands.withoutArguments(command))
          : new LensFurtherAway(range, command);
      });
    } catch (error) {
      const { failedLenses } = await import('./server-connection');
      return failedLenses(client, token, error);
    }
  }

  resolveCodeLens(lens: vscode.CodeLens): vscode.CodeLens {
    if (lens instanceof LensFurtherAway) lens.command = this.commands.withoutArguments(lens.known);
    return lens;
  }

  dispose(): void {
    this.offered.dispose();
    this.changed.dispose();
    this.commands.dispose();
  }
}

/** What the person sees of a document, and a little more. */
function seenLines(document: vscode.TextDocument): vscode.Range[] {
  return vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges)
    .map(({ start, end }) => new vscode.Range(Math.max(0, start.line - NEAR_LINES), 0, end.line + NEAR_LINES, 0));
}
