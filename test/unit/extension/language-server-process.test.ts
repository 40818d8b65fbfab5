import { expect, it } from 'vitest';
import { languageServerProcess } from '../../../src/extension/language-server-process';

it("the language server runs on the editor's own executable as Node, with the environment of the editor", () => {
  const { command, args, options } = languageServerProcess('/extension/dist/svc-language-server.js');
  expect([command, ...args]).toEqual([process.execPath, '/extension/dist/svc-language-server.js']);
  expect(options.env).toEqual({ ...process.env, ELECTRON_RUN_AS_NODE: '1', MALLOC_ARENA_MAX: '2' });
});
