/** Opens a socket for questions to the editor's model. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnswerQuestions, questionServer } from '../question/question-server';

/** A socket at which child processes ask the editor's model; only its user can reach it. */
export interface HostSocket {
  readonly path: string;
  dispose(): void;
}

/** Opens the socket; it is there when `ready` resolves. */
export function openHostSocket(answers: AnswerQuestions): HostSocket & { readonly ready: Promise<void> } {
  // mkdtemp makes a folder that no other user may enter.
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'svc-host-'));
  const path = folder === undefined ? `\\\\.\\pipe\\svc-host-${process.pid}-${Date.now()}` : join(folder, 'model.sock');
  const { server, close } = questionServer(answers);
  const ready = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return {
    ...{ path, ready },
    dispose() {
      void close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
