/** Lets the user choose a provider of a language model. */
import * as vscode from 'vscode';
import { hostIn, isSet } from '../../environment';

/** Who judges which code a section of a document speaks of, as `svc ingest --llm` names it. */
export interface Provider extends vscode.QuickPickItem {
  readonly name: 'mcp' | 'ollama' | 'anthropic' | 'openai' | 'none';
}

/** What is chosen here is the consent that a terminal would be asked for: each line says where the documents go. */
export async function chooseProvider(): Promise<Provider | undefined> {
  const items: Provider[] = [
    {
      name: 'mcp',
      label: vscode.l10n.t("The editor's own model"),
      detail: vscode.l10n.t('Sections and summaries of symbols go to the model that you chat with. No key is needed.'),
    },
    {
      name: 'ollama',
      label: vscode.l10n.t('A model on this machine'),
      detail: vscode.l10n.t('Nothing leaves the machine. Needs a model server on port 11434.'),
    },
    ...(['anthropic', 'openai'] as const).map((name) => cloud(name)),
    {
      name: 'none',
      label: vscode.l10n.t('No model'),
      detail: vscode.l10n.t('Binds only what documents name in backticks or link to. Nothing is sent anywhere.'),
    },
  ];
  return vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which model decides what code a section describes?'),
    matchOnDetail: true,
  });
}

export const CLOUDS = {
  anthropic: {
    ...{ label: 'Anthropic', variable: 'ANTHROPIC_API_KEY' },
    ...{ baseUrl: 'ANTHROPIC_BASE_URL', host: 'api.anthropic.com' },
  },
  openai: { label: 'OpenAI', variable: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL', host: 'api.openai.com' },
} as const;

function cloud(name: keyof typeof CLOUDS): Provider {
  const { label, variable, baseUrl, host } = CLOUDS[name];
  const place = hostIn(baseUrl, host);
  const detail = isSet(variable)
    ? vscode.l10n.t('Sections and summaries of symbols are sent to {0}, with the key in {1}.', place, variable)
    : vscode.l10n.t('Needs a key in the environment variable {0}. Set it before you start the editor.', variable);
  return { name, label, detail };
}
