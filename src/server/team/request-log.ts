/** What a server tells of itself: a line of JSON for each request and event, without tokens and contents. */
import { timestamp } from '../base/clock';

export interface RequestEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly project?: string;
  readonly person?: string;
  readonly ms: number;
}

export interface RequestLog {
  request(entry: RequestEntry): void;
  event(level: 'info' | 'warning' | 'error', message: string): void;
}

/** @param write gets each line, with its end */
export function requestLog(write: (line: string) => void): RequestLog {
  const line = (entry: object): void => write(`${JSON.stringify({ at: timestamp(Date.now()), ...entry })}\n`);
  return {
    request: (entry) => line({ level: 'info', event: 'request', ...entry }),
    event: (level, message) => line({ level, event: 'server', message }),
  };
}
