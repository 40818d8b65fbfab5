/** Offers the model of a client to `svc ingest`. */
import { chmod, rm } from 'node:fs/promises';
import type { Server as SocketServer } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { ANSWER_TIMEOUT_MS } from '../../question/limits';
import { promptOf } from '../../question/prompt';
import { NoModel, questionServer } from '../../question/question-server';
import type { Asked, Judged } from '../../question/wire';
import type { Log } from '../base/log';
import { hostSettings } from '../llm/request-of';

/** By which clients say that their user refused, or that they know no sampling. */
const REFUSALS: readonly number[] = [-1, -32601];

/** The model of an MCP client, offered at a socket to `svc ingest`. */
export interface HostModel {
  close(): Promise<void>;
}

/**
 * Has the client answer questions at the socket by `sampling/createMessage`, as long as the server runs. Its user is
 * asked by the client: that is how sampling works.
 * @param path a path of a Unix domain socket in a folder of the user's own, or of a named pipe
 */
export async function offerHostModel(server: Server, path: string, log: Log): Promise<HostModel> {
  const { server: listener, close } = questionServer({
    admits: async () => true,
    answer: (asked, stop) => askClient(server, asked, stop),
  });
  await listen(listener, path);
  listener.on('error', (error) => log(`the model of the client is no longer offered: ${error.message}`));
  // Nobody else may use the account behind the model; on Windows the pipe belongs to its user.
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return { close };
}

/** @throws NoModel */
async function askClient(server: Server, { question, model = '' }: Asked, stop: AbortSignal): Promise<Judged> {
  const { system, user } = promptOf(question);
  const params: Parameters<Server['createMessage']>[0] = {
    messages: [{ role: 'user', content: { type: 'text', text: user } }],
    ...{ systemPrompt: system, ...hostSettings(model) },
  };
  const result = await server
    .createMessage(params, { signal: stop, timeout: ANSWER_TIMEOUT_MS })
    .catch((error: unknown) => {
      throw new NoModel(error instanceof McpError && REFUSALS.includes(error.code) ? 'refused' : 'failed');
    });
  const [text] = Array.isArray(result.content) ? result.content : [result.content];
  if (text?.type !== 'text') throw new NoModel('failed');
  return { text: text.text, model: result.model };
}

async function listen(listener: SocketServer, path: string): Promise<void> {
  // What a killed server with this number left.
  if (process.platform !== 'win32') await rm(path, { force: true });
  await new Promise<void>((done, fail) => {
    listener.once('error', fail);
    listener.listen(path, () => {
      listener.off('error', fail);
      done();
    });
  });
  // It must not keep a server alive whose client is gone.
  listener.unref();
}
