/** Types of the messages at a host socket. */
import type { Question } from './question';

/**
 * The messages on a host socket, over which `svc ingest` asks the model of an MCP host: lines of JSON-RPC 2.0. The
 * socket is in a folder that only its user may enter, but any program of that user can. So the socket takes a question
 * about a section, and no prompt: the host makes the prompt itself. Types only.
 */

/** Names the socket: a path of a Unix domain socket, or of a named pipe. */
export type HostVariable = 'SVC_MCP_HOST';
/** What the editor's own programs show at its socket, in place of asking its user. */
export type HostTokenVariable = 'SVC_MCP_HOST_TOKEN';

export type HostRequest =
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly method: 'ping' }
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly method: 'svc/judge'; readonly params: Asked };

export interface Asked {
  readonly question: Question;
  /** Of the host's models; it chooses itself where none is named. */
  readonly model?: string;
  /** What the whole run is about, for the user who has to allow it: the folder, and how many questions there are. */
  readonly folder: string;
  readonly sections: number;
  readonly token?: string;
}

export interface Judged {
  /** As the model wrote it. */
  readonly text: string;
  /** As the host calls the model that answered. */
  readonly model: string;
}

/** `ping` is answered by an empty object. */
export type HostResponse =
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly result: Judged | Readonly<Record<string, never>> }
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly error: HostError };

export interface HostError {
  readonly code: HostErrorCode;
  readonly message: string;
}

/**
 * −1: the user said no, −2: there is no such model, or none (nobody need ask again), −3: too many questions at once;
 * −32601: no such method; −32602: no such question; −32603: this one failed.
 */
export type HostErrorCode = -1 | -2 | -3 | -32601 | -32602 | -32603;
