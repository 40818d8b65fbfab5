// What `npm start`, `npm test` and `npm run check` do first: install and build what is missing, and say so.
// Runs before anything is installed, so it uses nothing but Node itself, from version 20 on.
// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const OLDEST_NODE = 20;
const WINDOWS = process.platform === 'win32';
/** Of what a failed command said: half from its start, half from its end. */
const LINES_OF_A_FAILURE = 80;
/** Without a terminal a line appears this often, so that a log shows that work goes on. */
const LOG_EVERY_SECONDS = 20;

/** The Node of the devDependency `node`: the tools need a newer one than the shipped code does. */
export const DEVELOPMENT_NODE = join(ROOT, 'node_modules', 'node', 'bin', WINDOWS ? 'node.exe' : 'node');

/** The Node that npm itself was started with: what an MCP client on this machine would use. */
export const SYSTEM_NODE = process.env.npm_node_execpath ?? process.execPath;

/** Says what is wrong and what to do, and ends the process. @param {string} message @returns {never} */
export function stop(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

/** Installs and builds what is missing or out of date. */
export async function setUp() {
  await installMissing();
  await buildChanged();
}

/** Builds dist/ when a source is newer. */
export async function buildChanged() {
  if (!isBuilt()) await step('Building dist/', 2, DEVELOPMENT_NODE, ['esbuild.mjs']);
}

/** Installs the packages where they are missing or are not those of the lockfile. */
export async function installMissing() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE) {
    stop(`This needs Node ${OLDEST_NODE} or later; "node" is version ${process.versions.node}. See https://nodejs.org`);
  }
  if (!isInstalled()) await install();
}

/** Whether the packages of the lockfile are all there in their versions, with the two binaries that installing makes. */
function isInstalled() {
  const installed = readPackages(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!installed || !existsSync(DEVELOPMENT_NODE) || !existsSync(nativeModule())) return false;
  const wanted = readPackages(join(ROOT, 'package-lock.json')) ?? {};
  return Object.entries(wanted).every(
    // Optional packages are those of other platforms; "" is this project.
    ([path, entry]) => path === '' || entry.optional || installed[path]?.version === entry.version,
  );
}

function nativeModule() {
  return join(ROOT, 'node_modules', '@vscode', 'sqlite3', 'build', 'Release', 'vscode-sqlite3.node');
}

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean }> | undefined} */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function install() {
  requireCompiler();
  await npmInstall('Installing the packages and compiling SQLite', 90, ROOT, process.execPath, headersOfThisNode());
  if (!existsSync(DEVELOPMENT_NODE) || !existsSync(nativeModule())) {
    stop(
      'npm installed the packages, but Node 24 or the SQLite module is missing: it did not run their install scripts, or\n' +
        'SQLite could not be compiled. Is "ignore-scripts" set? Check "npm config get ignore-scripts". What failed is shown by\n' +
        '  npm ci --ignore-scripts && npm rebuild --ignore-scripts=false --foreground-scripts @vscode/sqlite3 node',
    );
  }
}

/**
 * Installs what the lockfile of a folder says, with the npm that runs this, when it is npm that does.
 * @param {string} what @param {number} aboutSeconds @param {string} folder @param {string} node what runs npm
 * @param {Record<string, string>} environment
 */
export async function npmInstall(what, aboutSeconds, folder, node, environment) {
  const npm = process.env.npm_execpath ?? '';
  const [command, ...start] = npm.endsWith('npm-cli.js') ? [node, npm] : [WINDOWS ? 'npm.cmd' : 'npm'];
  const args = [...start, '--prefix', folder, 'ci', '--no-audit', '--no-fund', '--loglevel=error'];
  await step(what, aboutSeconds, command, args, environment);
}

/** SQLite is compiled on the machine: there are no prebuilt binaries of this package. */
function requireCompiler() {
  if (WINDOWS) return; // node-gyp finds Visual Studio and Python by its own rules there
  const missing = [
    ...(process.env.PYTHON || has('python3') || has('python') ? [] : ['python3']),
    ...(has('make') ? [] : ['make']),
    ...(process.env.CXX || ['c++', 'g++', 'clang++'].some(has) ? [] : ['a C++ compiler']),
  ];
  if (missing.length === 0) return;
  stop(
    `SQLite is compiled on this machine, and that needs ${missing.join(' and ')}, which cannot be found.\n` +
      (process.platform === 'darwin'
        ? 'Install the command line tools:  xcode-select --install'
        : 'On Debian and Ubuntu:  sudo apt-get install python3 make g++'),
  );
}

/** Whether a command is on the PATH. @param {string} command @returns {boolean} */
export function has(command) {
  const names = WINDOWS ? [`${command}.exe`, `${command}.cmd`] : [command];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
}

/** Where the running Node has brought its C headers along, the compiler need not download them. */
function headersOfThisNode() {
  const prefix = dirname(dirname(process.execPath));
  const found = existsSync(join(prefix, 'include', 'node', 'node_api.h'));
  return found && !process.env.npm_config_nodedir ? { npm_config_nodedir: prefix } : {};
}

function isBuilt() {
  const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const built = [...Object.values(bin), 'dist/svc-language-server.js', 'dist/o200k_base.bin'];
  const oldest = Math.min(...built.map((file) => modifiedAt(join(ROOT, file))));
  const sources = ['src', 'queries', 'scripts', 'esbuild.mjs', 'package.json'];
  return oldest > Math.max(...sources.map((source) => newest(join(ROOT, source))));
}

/** @param {string} path @returns {number} */
function newest(path) {
  if (!statSync(path).isDirectory()) return modifiedAt(path);
  // Folders as well: their time changes when a file is taken away.
  const inside = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(modifiedAt(path), ...inside.map((name) => modifiedAt(join(path, name))));
}

/** @param {string} path @returns {number} */
function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Runs one command with a line that shows how long it has been at it. Its own output is shown when it fails.
 * @param {string} what @param {number} aboutSeconds @param {string} command @param {string[]} args
 * @param {Record<string, string>} [environment]
 */
async function step(what, aboutSeconds, command, args, environment = {}) {
  const start = performance.now();
  const terminal = process.stderr.isTTY;
  const seconds = () => Math.round((performance.now() - start) / 1000);
  const say = () =>
    process.stderr.write(`${what} … ${seconds()} s (takes about ${aboutSeconds} s)${terminal ? '' : '\n'}`);
  say();
  const ticker = setInterval(
    () => {
      if (terminal) process.stderr.write('\r');
      say();
    },
    (terminal ? 1 : LOG_EVERY_SECONDS) * 1000,
  );
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: WINDOWS && command.endsWith('.cmd'),
  });
  /** @type {string[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  const status = await new Promise((done) => {
    child.on('error', (error) => {
      output.push(error.message);
      done(1);
    });
    child.on('close', done);
  });
  clearInterval(ticker);
  process.stderr.write(
    `${terminal ? '\r\u001b[K' : ''}${what}: ${status === 0 ? `done in ${seconds()} s` : 'failed'}\n`,
  );
  if (status !== 0) {
    const lines = output.join('').trimEnd().split('\n');
    const middle = lines.length - LINES_OF_A_FAILURE;
    if (middle > 0) lines.splice(LINES_OF_A_FAILURE / 2, middle, `… ${middle} lines …`);
    stop(`${lines.join('\n')}\n\n"${[command, ...args].join(' ')}" failed; the lines above tell why.`);
  }
}

/** Runs a command in the project's folder with this terminal. @returns {Promise<number>} its exit status
 * @param {string} command @param {string[]} args @param {Record<string, string>} [environment] */
export function run(command, args, environment = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...environment }, stdio: 'inherit' });
    child.on('error', (error) => stop(error.message));
    child.on('close', (status) => done(status ?? 1));
  });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await setUp();
