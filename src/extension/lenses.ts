/** Lenses of the language server. */
import * as vscode from 'vscode';
import { CodeLensRequest, type LanguageClient } from 'vscode-languageclient/node';
import type { Notifications } from '../protocol/requests';
import { LensCommands } from './lens-commands';

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
  constructor(private readonly server: () => { client: LanguageClient; ready: Promise<void> } | undefined) {
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
    const { client, ready } = server;
    try {
      await ready;
      const params = client.code2ProtocolConverter.asCodeLensParams(document);
      const found = await client.sendRequest(CodeLensRequest.type, params, token);
      const lenses = token.isCancellationRequested
        ? null
        : await client.protocol2CodeConverter.asCodeLenses(found, token);
      for (const lens of lenses ?? []) {
        if (lens.command) lens.command = this.commands.withoutArguments(lens.command);
      }
      return lenses ?? undefined;
    } catch (error) {
      return client.handleFailedRequest(CodeLensRequest.type, token, error, undefined);
    }
  }

  dispose(): void {
    this.offered.dispose();
    this.changed.dispose();
    this.commands.dispose();
  }
}
