/*
 * A real editor for tests: the packaged extension in a real workbench, driven through a real browser.
 *
 *   withWorkbench({ files, settings, trust, chat }, async (workbench) => { … })   one editor, one folder, torn down
 *   openWorkbench(options)  →  { page, folder, home, … , close() }                for beforeAll / afterAll: it costs 10 s
 *
 *   palette.ts       runCommand, commandsMatching, pick, answer, quickInput, quickInputRows, confirmPath
 *   views.ts         openView, view, treeRows, unfold, unfoldTo, inlineAction, contextAction, statusBarItem, notification,
 *                    pressInNotification, dialog, pressInDialog
 *   editors.ts       openFile, editorOf, goToLine, save, codeLenses, hoverAt, explorerRow, decorationOf, webview
 *   explorer.ts      openExplorer: an editor with the Memory explorer open, and something in its store
 *   host.ts          inHost(workbench, (vscode, argument) => …): evaluates a function in the extension host
 *   chat.ts          enableChat, followScript, askAgent, chatItems, modelRequests: an agent on a scripted model;
 *                    startServer: an MCP server, without any chat
 *   command-line.ts  commandLine(workbench, ...args): svc-memory in a terminal beside the editor
 *   log.ts           extensionLog(workbench): what stands in the output channel "Agent Memory"
 *   hostile-clone.ts hostileClone: a stranger's repository, to be opened, and what would tell that something of it ran
 *   processes.ts     processesIn, programsIn: what the editor and its windows have started
 *   seen.ts          seenIn(workbench): what it shows, in words
 *   until.ts         until(what, ms, look): for what is not on the page, such as files
 *
 * What is on the page is waited for with Playwright's locators, never for a fixed time. `workbench.screenshot(name)`
 * keeps a picture in node_modules/.cache/screenshots. When a test fails, `failure.png` is kept there, and after-failure.ts
 * prints what was seen.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumFile } from './chromium-file';
import { type EditorServer, ROOT, startEditor } from './editor-server';
import { extensionsForTests } from './extensions';
import { seenIn } from './seen';
import { PATIENCE_MS, until } from './until';

export interface WorkbenchOptions {
  /** Of the folder that is opened, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Puts more into the folder, before the editor opens it. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** Several folders instead of one, by name; each with its files. */
  readonly folders?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** No folder at all. */
  readonly empty?: boolean;
  /** User settings, beside those that keep the editor quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Workspace trust is asked for: the folder opens in Restricted Mode. */
  readonly trust?: boolean;
  /** The chat is shown, and its agent answers from a scripted model. The editor has all the extensions it comes with. */
  readonly chat?: boolean;
  /** The editor asks before an extension uses the scripted model, as it does for real ones. */
  readonly guarded?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the editor, such as `de`; its own texts stay English without the package of that language. */
  readonly language?: string;
  /** How fast the window is, is measured: its code is compiled as in a browser that people use. */
  readonly measured?: boolean;
}

export interface Workbench {
  readonly page: Page;
  /** The folder that is open, or that holds the open folders. */
  readonly folder: string;
  readonly home: string;
  /** The editor's own data: settings, logs. */
  readonly data: string;
  /** Holds the port of the door into the extension host. */
  readonly probeFile: string;
  readonly server: EditorServer;
  readonly url: string;
  /** Another window on the same editor and folder. */
  openWindow(): Promise<Page>;
  /** Keeps a picture of the window. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

const SCREENSHOTS = join(ROOT, 'node_modules', '.cache', 'screenshots');
const SIZE = { width: 1280, height: 800 };
/** Until the workbench is drawn, and for what one waits for on it. */
const OPEN_MS = 120_000;

/** Every signal about memories on code; most are off at first. */
export const EVERY_SIGNAL = {
  'agentMemory.codeLens.kinds': ['fact', 'decision', 'action', 'outcome', 'procedure', 'preference'],
  'agentMemory.diagnostics.enabled': true,
  'agentMemory.fileMarks.enabled': true,
};

const QUIET = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'update.mode': 'none',
  'chat.mcp.gallery.enabled': false,
  'workbench.editor.useModal': 'off',
  'json.schemaDownload.enable': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'workbench.tips.enabled': false,
  'files.hotExit': 'off',
  // code-server asks before a window is left.
  'window.confirmBeforeClose': 'never',
};

const SAMPLING = { allowedDuringChat: true, allowedOutsideChat: true, allowedModels: ['svc-test/scripted'] };

const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** A window of a test lives for a minute, too short for its code to be worth compiling twice. */
const COMPILES_ONCE = '--js-flags=--no-turbofan --no-maglev';

let browser: Promise<Browser> | undefined;

/**
 * One for all editors of this process, with which it ends: contexts have nothing in common. The first editor says
 * whether it is measured.
 */
async function sharedBrowser(measured: boolean): Promise<Browser> {
  const known = await browser?.catch(() => undefined);
  if (known?.isConnected()) return known;
  const args = measured ? BROWSER_FLAGS : [...BROWSER_FLAGS, COMPILES_ONCE];
  browser = chromium.launch({ executablePath: chromiumFile(), args });
  return browser;
}

/** For a process that no test runner ends: it goes on for as long as the browser is open. */
export async function endSharedBrowser(): Promise<void> {
  await (await browser)?.close();
}

/** Those that this process has open. */
const openWorkbenches = new Set<Workbench>();

/** Keeps a picture of all that is open, and prints what is seen. */
export async function tellWhatIsSeen(): Promise<void> {
  for (const workbench of openWorkbenches) {
    await workbench.screenshot('failure').catch(() => undefined);
    console.error(await seenIn(workbench).catch(String));
  }
}

/** Runs `work` with an editor of its own, and ends it. */
export async function withWorkbench<Result>(
  options: WorkbenchOptions,
  work: (workbench: Workbench) => Promise<Result>,
): Promise<Result> {
  const workbench = await openWorkbench(options);
  try {
    return await work(workbench);
  } catch (error) {
    await tellWhatIsSeen();
    throw error;
  } finally {
    await workbench.close();
  }
}

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { installed, builtIn } = await extensionsForTests();
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'svc-workbench-')));
  const place = { data: join(scratch, 'data'), home: join(scratch, 'home'), temporary: join(scratch, 'tmp') };
  const folder = join(scratch, 'project');
  for (const each of [...Object.values(place), folder]) mkdirSync(each, { recursive: true });
  const open = options.empty ? '' : writeProject(folder, options);
  await options.prepare?.(folder);
  writeSettings(place.data, options);
  const probeFile = join(scratch, 'probe-port');

  let server: EditorServer | undefined;
  let context: BrowserContext | undefined;
  const close = async (): Promise<void> => {
    await context?.close().catch(() => undefined);
    await server?.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const trust = options.trust ?? false;
    const environment = { ...options.environment, SVC_TEST_PROBE: probeFile };
    const extensions = { extensions: installed, builtIn: options.chat ? undefined : builtIn };
    server = await startEditor({ ...place, ...extensions, trust, environment });
    const proposals = JSON.stringify([['enableProposedApi', '']]);
    const payload = options.guarded ? `${open === '' ? '?' : '&'}payload=${encodeURIComponent(proposals)}` : '';
    const url = `${server.url}/${open}${payload}`;
    const opened = await (await sharedBrowser(options.measured ?? false)).newContext({
      viewport: options.size ?? SIZE,
      permissions: ['clipboard-read'],
      // The server would compress 19 MB for each window.
      extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
    });
    context = opened;
    opened.setDefaultTimeout(PATIENCE_MS);
    // As the editor's server tells its page.
    await opened.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)};`);
    const openWindow = async (): Promise<Page> => {
      const page = await opened.newPage();
      await page.goto(url);
      await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: OPEN_MS });
      return page;
    };
    const page = await openWindow();
    await until('the extensions are active', OPEN_MS, () => existsSync(probeFile));
    const workbench: Workbench = {
      page,
      folder,
      home: place.home,
      data: place.data,
      probeFile,
      server,
      url,
      openWindow,
      async close() {
        openWorkbenches.delete(workbench);
        await close();
      },
      async screenshot(name) {
        mkdirSync(SCREENSHOTS, { recursive: true });
        // Nothing half faded in.
        await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: 'disabled' });
      },
    };
    openWorkbenches.add(workbench);
    return workbench;
  } catch (error) {
    const log = server?.log() ?? '';
    await close();
    throw new Error(`The workbench did not open. ${log}`, { cause: error });
  }
}

/** @returns the query that opens it */
function writeProject(folder: string, { files = {}, folders }: WorkbenchOptions): string {
  if (!folders) {
    writeFiles(folder, files);
    return `?folder=${encodeURIComponent(folder)}`;
  }
  for (const [name, each] of Object.entries(folders)) {
    mkdirSync(join(folder, name));
    writeFiles(join(folder, name), each);
  }
  const workspace = join(folder, 'test.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: Object.keys(folders).map((path) => ({ path })) }));
  return `?workspace=${encodeURIComponent(workspace)}`;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function writeSettings(data: string, { settings = {}, chat = false, trust = false }: WorkbenchOptions): void {
  const user = {
    ...QUIET,
    'workbench.secondarySideBar.defaultVisibility': chat ? 'visible' : 'hidden',
    'chat.agentHost.enabled': chat,
    // Otherwise a dialog stands before everything.
    ...(trust ? { 'security.workspace.trust.startupPrompt': 'never' } : {}),
    ...settings,
  };
  // Sampling is authorised in the machine's settings only.
  const machine = {
    'chat.mcp.serverSampling': {
      'Agent Memory: svc-memory': SAMPLING,
      'Agent Memory: svc': SAMPLING,
    },
  };
  writeFiles(data, {
    'User/settings.json': JSON.stringify(user),
    'Machine/settings.json': JSON.stringify(machine),
    'config.yaml': '',
  });
}
