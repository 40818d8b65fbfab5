/**
 * What is said over a host socket, by which `svc ingest` asks the model of an MCP host. Lines of JSON-RPC 2.0, with the
 * method and the shapes of MCP's sampling. The socket lies in a folder that only its user may enter. Types only.
 */

/** Names the socket: a path of a Unix domain socket, or of a named pipe. */
export type HostVariable = 'SVC_MCP_HOST';

export type HostRequest =
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly method: 'ping' }
  | {
      readonly jsonrpc: '2.0';
      readonly id: number;
      readonly method: 'sampling/createMessage';
      readonly params: CreateMessageParams;
    };

export interface CreateMessageParams {
  readonly messages: readonly { readonly role: 'user'; readonly content: TextContent }[];
  readonly systemPrompt: string;
  readonly maxTokens: number;
  readonly includeContext: 'none';
  readonly modelPreferences?: { readonly hints: readonly { readonly name: string }[] };
}

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface CreateMessageResult {
  readonly role: 'assistant';
  readonly content: TextContent;
  /** As the host calls the model that answered. */
  readonly model: string;
}

/** `ping` is answered by an empty object. */
export type HostResponse =
  | {
      readonly jsonrpc: '2.0';
      readonly id: number;
      readonly result: CreateMessageResult | Readonly<Record<string, never>>;
    }
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly error: HostError };

export interface HostError {
  readonly code: HostErrorCode;
  readonly message: string;
}

/** −1: the user said no, −2: there is no such model, or none (nobody need ask again); −32601: no such method; −32603: this one failed. */
export type HostErrorCode = -1 | -2 | -32601 | -32603;
