// npm run setup:workbench: installs the editor that the workbench tests drive into test/workbench/editor, once: 600 MB, about two minutes.
// Needs nothing of the project's packages, and may run beside "npm run setup".
// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BROWSER, installLine, missingNeeds, WORKBENCH } from './needs.mjs';
import { npmInstall, ROOT, stop } from './setup.mjs';

const FOLDER = join(ROOT, 'test', 'workbench', 'editor');
const NODE_NAME = `node_modules/node-${process.platform}-${process.arch}`;
const NODE_PACKAGE = join(FOLDER, NODE_NAME);

/** The Node that the editor runs on. */
export const EDITOR_NODE = join(NODE_PACKAGE, 'bin', 'node');
/** What starts the editor's server. */
export const EDITOR_ENTRY = join(FOLDER, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
/** The extensions that come with it. */
export const EDITOR_BUILT_IN = join(FOLDER, 'node_modules', 'code-server', 'lib', 'vscode', 'extensions');
/** Without passwords, without telemetry. */
export const EDITOR_FLAGS = [
  ...['--auth', 'none', '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
];
/** No gallery: nothing is looked for on the network. */
export const EDITOR_ENVIRONMENT = { EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
/** The last thing that its own install script makes. */
const COMPLETE = join(EDITOR_BUILT_IN, 'node_modules');

/** Whether the editor of the lockfile is there, complete. */
export function hasEditor() {
  const wanted = versionIn(join(FOLDER, 'package-lock.json'));
  const there = versionIn(join(FOLDER, 'node_modules', '.package-lock.json'));
  return there !== undefined && there === wanted && [EDITOR_NODE, COMPLETE].every(existsSync);
}

/** @param {string} lockfile */
function versionIn(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages['node_modules/code-server'].version;
  } catch {
    return undefined;
  }
}

/** Of the Node that the editor runs on. @returns {string} */
function nodeVersion() {
  return JSON.parse(readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')).packages[NODE_NAME].version;
}

export async function setUpWorkbench() {
  if (hasEditor()) return;
  if (process.platform !== 'linux') stop('The editor of the workbench tests is installed on Linux only.');
  const missing = missingNeeds().filter((need) => need.suites === WORKBENCH && need.command !== BROWSER);
  if (missing.length > 0)
    stop(`Installing the editor needs ${missing.map(({ command }) => command).join(', ')}:\n${installLine(missing)}`);
  // Any Node that npm runs on will do, so that this can go on while the packages of the project are installed: scripts of
  // the editor find the Node on which it runs itself.
  await npmInstall('Installing the editor for the workbench tests', 120, FOLDER, process.execPath, {
    // Its modules are compiled for the Node that runs it, with that Node's own headers.
    npm_config_nodedir: NODE_PACKAGE,
    // In a tenth of the time: the compiler's work on them costs more than they would save in all tests.
    CFLAGS: '-O0',
    CXXFLAGS: '-O0',
    PATH: [join(NODE_PACKAGE, 'bin'), process.env.PATH ?? ''].join(delimiter),
    // Its install script looks here for the version of Node; "npm run" of an older Node has handed down its own.
    npm_config_user_agent: `npm/? node/v${nodeVersion()} ${process.platform} ${process.arch}`,
  });
  if (!hasEditor())
    stop(`npm installed the editor, but it is not complete. Remove ${join(FOLDER, 'node_modules')} and try again.`);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await setUpWorkbench();
}
