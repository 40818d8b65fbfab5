/** What `main/` reads of the process's environment for the providers. Keys go nowhere but into the official clients. */
export interface LlmEnvironment {
  /** SVC_MCP_HOST */
  readonly hostSocket: string | undefined;
  /** SVC_MCP_HOST_TOKEN, which goes to that socket alone. */
  readonly hostToken: string | undefined;
  /** ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL */
  readonly anthropic: Access;
  /** OPENAI_API_KEY, OPENAI_BASE_URL */
  readonly openai: Access;
  /** OLLAMA_HOST */
  readonly ollamaHost: string | undefined;
}

export interface Access {
  readonly key: string | undefined;
  readonly baseUrl: string | undefined;
}
