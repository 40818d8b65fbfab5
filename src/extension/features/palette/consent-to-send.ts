/** Asks the user for consent before documents are sent. */
import * as vscode from 'vscode';
import { withoutLinks } from '../../stored-text';
import { CLOUDS } from './choose-provider';
import type { Doing } from './command';
import type { Consent } from './run-and-tell';

/** What `svc sync --json` prints when there is no consent yet for the provider of the last run. */
interface Unsent {
  readonly unsent?: {
    readonly provider: keyof typeof CLOUDS;
    readonly model: string;
    readonly host: string;
    readonly sections: number;
    readonly documents: number;
  };
}

/** Asks once for a project and a server, and has exactly that sent: to this provider, with this model. */
export async function consentToSend({ memories, place }: Doing, output: string): Promise<Consent> {
  const { unsent } = output.trim() === '' ? {} : (JSON.parse(output) as Unsent);
  if (!unsent) return 'not needed';
  const { provider, model, host, sections, documents } = unsent;
  const send = vscode.l10n.t('Send');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Send sections of documents to {0} ({1})?', CLOUDS[provider].label, withoutLinks(host)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Sections: {0}. Documents: {1}. Model: {2}. Names, signatures and summaries of code are sent with them, but never a function body. You are asked once for each project.',
        sections,
        documents,
        withoutLinks(model),
      ),
    },
    send,
  );
  if (chosen !== send) return 'no';
  await memories.rememberConsent(place, provider, host);
  // Who is offered a host uses it, whatever is named beside it.
  return {
    arguments: ['sync', '--json', '--yes', '--llm', provider, '--model', model],
    environment: { SVC_MCP_HOST: undefined },
  };
}
