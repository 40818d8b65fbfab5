/** What the features share of the connection to a window. */
import {
  type Connection,
  LSPErrorCodes,
  RequestType,
  ResponseError,
  type TextDocuments,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Changed, RefusalData, Requests } from '../../protocol/requests';
import type { Log } from '../base/log';
import type { Folder } from './folder';
import type { Folders } from './folders';
import type { InWork } from './in-work';
import { refusal } from './refusal';
import type { Settings } from './settings';

/** The window at the other end, as the features see it. */
export interface Editor {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly folders: Folders;
  readonly settings: () => Settings;
  /** What the client can do. */
  readonly can: Abilities;
  readonly log: Log;
  /** The requests of ours that are being answered. */
  readonly inWork: InWork;
  /** Tells the window, and everything in it that shows what changed. */
  readonly changed: (folder: Folder, what: Changed['what']) => void;
  /** Called with what changed, before the window is told. */
  readonly onChanged: (listener: (folder: Folder, what: Changed['what']) => void) => void;
  /** Called when the client may be asked for something. */
  readonly onReady: (listener: () => void) => void;
  readonly onSettings: (listener: () => void) => void;
}

export interface Abilities {
  readonly refreshLenses: boolean;
  readonly watchFiles: boolean;
  /** Hovers are offered later, for any language, so that they stand behind those of the languages. */
  readonly hoverLast: boolean;
  /** The window has asked its editor for lenses before this server was there, and is told when they change. */
  readonly ownLenses: boolean;
}

/** Answers one of our own requests. An error of ours reaches the window in its own words, a defect in none. */
export function onRequest<Method extends keyof Requests>(
  { connection, log, inWork }: Editor,
  method: Method,
  answer: (params: Requests[Method]['params'], signal: AbortSignal) => Promise<Requests[Method]['result']>,
): void {
  const type = new RequestType<Requests[Method]['params'], unknown, void>(method);
  connection.onRequest(type, async (params, token) => {
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    try {
      return await inWork.during(answer(params, abort.signal));
    } catch (error) {
      const { code, message } = refusal(error, log);
      throw new ResponseError<RefusalData>(LSPErrorCodes.RequestFailed, message, { code });
    } finally {
      listening.dispose();
    }
  });
}

/** Runs what nobody waits for: what goes wrong is told to the log, and to the next caller. */
export function inBackground({ log }: Pick<Editor, 'log'>, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    const { code, message } = refusal(error, log);
    // A folder without a store is no event.
    if (code !== 'unavailable' && code !== 'internal') log(`${code}: ${message}`);
  });
}
