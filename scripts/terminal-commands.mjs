// Part of the build: the commands for the editor's terminal. What npm writes for `bin` looks for a `node` on the PATH,
// and these run on the editor's own.
// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The command lines that people type; servers are started by clients. */
const COMMANDS = ['svc', 'svc-memory'];

/**
 * Writes the commands for the editor's integrated terminal, on whose PATH the extension puts this folder. They run on
 * the editor's own Node, which SVC_NODE names, so that nothing has to be installed; it is no plain Node unless it is
 * told so.
 * @param {string} folder beside the bundles
 */
export async function writeTerminalCommands(folder) {
  await mkdir(folder);
  for (const name of COMMANDS) {
    await writeFile(join(folder, name), shell(name), { mode: 0o755 });
    await writeFile(join(folder, `${name}.cmd`), batch(name));
  }
}

/** For every shell but those of Windows, and for Git's there. @param {string} name */
function shell(name) {
  return `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec "\${SVC_NODE:-node}" "\${0%/*}/../${name}.js" "$@"\n`;
}

/** @param {string} name */
function batch(name) {
  const lines = [
    '@echo off',
    'setlocal',
    'set ELECTRON_RUN_AS_NODE=1',
    'if not defined SVC_NODE set SVC_NODE=node',
    `"%SVC_NODE%" "%~dp0..\\${name}.js" %*`,
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}
