/** Answers the call of one tool with one message, which nearly all requests are: without what the SDK sets up for each. */
import type { IncomingHttpHeaders } from 'node:http';
import {
  ErrorCode,
  type JSONRPCRequest,
  JSONRPCRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import type { Client } from './clients';

const METHOD = 'tools/call';
/** `task` asks for what we do not offer, and a progress token for a stream: the SDK answers both. */
const NOT_HERE = ['task', 'progressToken'];

/** @returns undefined for anything else, and for what is not quite right: the SDK says what is wrong */
export function callIn(headers: IncomingHttpHeaders, body: unknown): JSONRPCRequest | undefined {
  const { accept = '', 'content-type': type = '', 'mcp-protocol-version': version } = headers;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return undefined;
  if (!/^application\/json(?:$|; ?charset=utf-8$)/i.test(type)) return undefined;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return undefined;
  if (typeof body !== 'object' || body === null || !('method' in body) || body.method !== METHOD) return undefined;
  const request = JSONRPCRequestSchema.safeParse(body).data;
  const isForSdk = NOT_HERE.some((name) => name in (request?.params ?? {}) || name in (request?.params?._meta ?? {}));
  return isForSdk ? undefined : request;
}

/**
 * @param stop ends the call: the caller has gone
 * @returns the message, as JSON
 */
export async function answerCall(
  { id, params = {} }: JSONRPCRequest,
  { methods, running }: Client,
  stop: AbortController,
): Promise<string> {
  running.set(id, stop);
  try {
    const extra = { signal: stop.signal, requestId: id, ...(params._meta ? { _meta: params._meta } : {}) };
    const result = await methods[METHOD]?.(params, { ...extra, sendNotification: noWayBack, sendRequest: noWayBack });
    return JSON.stringify({ result, jsonrpc: '2.0', id });
  } catch (error) {
    return JSON.stringify({ jsonrpc: '2.0', id, error: asProtocolError(error) });
  } finally {
    running.delete(id);
  }
}

/** One message is all that goes back. */
function noWayBack(): Promise<never> {
  return Promise.reject(new Error('There is no stream for this call'));
}

/** As the SDK tells errors. */
function asProtocolError(error: unknown): { readonly code: number; readonly message: string } {
  const { code, message } = error instanceof Error ? (error as Error & { code?: unknown }) : { code: 0, message: '' };
  return {
    code: Number.isSafeInteger(code) ? Number(code) : ErrorCode.InternalError,
    message: message || 'Internal error',
  };
}
