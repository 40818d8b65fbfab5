/** Finds out what the choice of a provider depends on. */
import type { LlmEnvironment } from './environment';
import { hostAnswers, isSocketPath } from './providers/mcp-host';
import { ollamaModels, ollamaUrl } from './providers/ollama';
import type { Circumstances, Named } from './select-provider';

/** @param dry nobody is contacted: who could answer is taken to do so */
export function circumstancesOf(
  environment: LlmEnvironment,
  named: Named & Pick<Circumstances, 'announcedHosts'>,
  dry: boolean,
): Circumstances {
  const url = ollamaUrl(environment.ollamaHost);
  return {
    ...named,
    hostSocket: environment.hostSocket,
    hasKey: (provider) => environment[provider].key !== undefined,
    hostAnswers: async (socket) => isSocketPath(socket) && (dry || hostAnswers(socket)),
    localAnswers: async () => dry || (url !== undefined && (await ollamaModels(url)) !== undefined),
  };
}
