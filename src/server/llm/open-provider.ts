/** Opens the provider that was chosen. */
import { unavailable } from '../base/errors';
import type { LlmEnvironment } from './environment';
import type { Embedder, Provider } from './provider';
import type { ProviderName } from './providers';
import type { HostRun } from './providers/mcp-host';
import { ollamaUrl, openOllama } from './providers/ollama';

/** A provider that is ready to be asked. */
export interface OpenedProvider extends Provider {
  /** Where what is sent goes to, for people. */
  readonly place: string;
  /** Where the provider has a model for embeddings already. */
  readonly embedder?: Embedder | undefined;
}

/** Where the model of an MCP host is asked, and what its user is told about the run. */
export interface AskedHost extends Pick<HostRun, 'folder' | 'sections'> {
  readonly socket: string | undefined;
}

/**
 * Opens a provider; its official package is loaded only now.
 * @throws SvcError unavailable without a key, a package, a server, a model or a host, with what to do
 */
export async function openProvider(
  name: ProviderName,
  model: string,
  host: AskedHost,
  environment: LlmEnvironment,
): Promise<OpenedProvider> {
  switch (name) {
    case 'anthropic': {
      const { openAnthropic } = await import('./providers/anthropic');
      const place = placeOf(environment.anthropic.baseUrl ?? 'https://api.anthropic.com');
      return { ...(await openAnthropic(environment.anthropic, model)), place };
    }
    case 'openai': {
      const { openOpenAi } = await import('./providers/openai');
      const place = placeOf(environment.openai.baseUrl ?? 'https://api.openai.com');
      return { ...(await openOpenAi(environment.openai, model)), place };
    }
    case 'ollama': {
      const url = ollamaUrl(environment.ollamaHost);
      if (url !== undefined) return { ...(await openOllama(url, model)), place: 'this machine' };
      throw unavailable(
        'OLLAMA_HOST names another machine, and the local provider never sends anything there',
        'Unset it, or set it to 127.0.0.1 with the port of the server here',
      );
    }
    case 'mcp': {
      const { socket, ...run } = host;
      if (socket === undefined) {
        throw unavailable(
          'There is no MCP host whose model could be used',
          'Run the command in the integrated terminal of an editor with Agent Memory, or while an MCP client that offers sampling runs svc-mcp for this project',
        );
      }
      const { openMcpHost } = await import('./providers/mcp-host');
      const token = socket === environment.hostSocket ? environment.hostToken : undefined;
      const about = { ...run, ...(token === undefined ? {} : { token }) };
      return { ...(await openMcpHost(socket, model, about)), place: "the host's model" };
    }
  }
}

/** A base URL may hold a password. */
function placeOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return 'an unreadable base URL';
  }
}
