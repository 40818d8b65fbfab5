/** The part of the environment that concerns language models. */
import type { KeyedName } from './providers';

/** What `main/` reads of the process's environment for the providers. Keys go nowhere but into the official clients. */
export interface LlmEnvironment extends Readonly<Record<KeyedName, Access>> {
  /** SVC_MCP_HOST */
  readonly hostSocket: string | undefined;
  /** SVC_MCP_HOST_TOKEN, which goes to that socket alone. */
  readonly hostToken: string | undefined;
  /** OLLAMA_HOST */
  readonly ollamaHost: string | undefined;
}

/** As ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL, OPENAI_API_KEY and OPENAI_BASE_URL. */
export interface Access {
  readonly key: string | undefined;
  readonly baseUrl: string | undefined;
}
