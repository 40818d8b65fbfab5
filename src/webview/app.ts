/** What the views of the explorer share. */
import type { Answer, Answers, ExplorerFolder, ExplorerTexts, Place, ShownFolder } from '../protocol/explorer';
import { type Connection, latest } from './connection';
import { changeWhose, type ExplorerState, go, goBack, goForward } from './state';

/** One of the views: it asks for what it shows, keeps it, and draws it. */
export interface ViewPart {
  /** Asks for what is to be shown; called when one comes here and whenever something changed. */
  load(): void;
  render(): unknown;
}

/** What the views share. */
export interface App {
  readonly texts: ExplorerTexts;
  readonly language: string;
  readonly state: ExplorerState;
  readonly folders: readonly ExplorerFolder[];
  /** undefined until it is known. */
  readonly folder: ShownFolder | undefined;
  /** What is read out, and shown below the heading. */
  readonly announcement: Announcement;
  ask<What extends keyof Answers>(
    what: What,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<Answer<Answers[What]>>;
  send: Connection['send'];
  /** Keeps what a person looked for, and draws. */
  change(state: Partial<ExplorerState>): void;
  go(place: Place): void;
  back(): void;
  forward(): void;
  /** @param namespace empty for the one that the editor is in */
  openMemoryOf(folder: string, namespace: string): void;
  announce(text: string, undo?: Undoing): void;
  redraw(): void;
}

export interface Announcement {
  readonly text: string;
  readonly undo?: Undoing | undefined;
}

/** Takes back what is announced. */
export interface Undoing {
  /** What is taken back: once somebody has done so, the announcement is not true any more. */
  readonly operation: number;
  readonly run: () => void;
  /** Of the button; "Undo" where it is missing. */
  readonly name?: string;
}

export interface AppParts {
  readonly texts: ExplorerTexts;
  readonly language: string;
  readonly folders: readonly ExplorerFolder[];
  readonly connection: Connection;
  readonly state: ExplorerState;
  /** Draws at the next frame. */
  redraw(): void;
  /** One went elsewhere. */
  moved(from: Place, how: 'onwards' | 'back'): void;
}

export interface RunningApp extends App {
  folders: readonly ExplorerFolder[];
  folder: ShownFolder | undefined;
  reloadFolder(): Promise<void>;
}

const UNKNOWN_FOLDER = {
  activeNamespace: '',
  namespaces: [],
  storePath: '',
  storeExists: true,
  access: null,
  lost: null,
  trusted: false,
  teamLine: null,
};

export function startApp({ texts, language, folders, connection, state, redraw, moved }: AppParts): RunningApp {
  const lookingAtFolder = latest();
  const set = (next: ExplorerState): void => {
    app.state = next;
    connection.keep(next);
    redraw();
  };
  const travel = (next: ExplorerState, how: 'onwards' | 'back'): void => {
    if (next === app.state) return;
    const from = app.state.place;
    app.announcement = { text: '' };
    set(next);
    moved(from, how);
  };
  const app: { -readonly [Key in keyof RunningApp]: RunningApp[Key] } = {
    texts,
    language,
    folders,
    state,
    folder: undefined,
    announcement: { text: '' },
    ask: (what, input) => connection.ask(what, app.state, input),
    send: connection.send,
    change: (change) => set({ ...app.state, ...change }),
    go: (place) => travel(go(app.state, place), 'onwards'),
    back: () => travel(goBack(app.state), 'back'),
    forward: () => travel(goForward(app.state), 'onwards'),
    openMemoryOf(folder, namespace) {
      const next = changeWhose(app.state, folder, namespace);
      if (next === app.state) return;
      if (folder !== app.state.folder) app.folder = undefined;
      travel(next, 'onwards');
      void app.reloadFolder();
    },
    announce(text, undo) {
      app.announcement = { text, undo };
      redraw();
    },
    redraw,
    reloadFolder: () =>
      lookingAtFolder(async (isLatest) => {
        if (app.state.folder === '') return;
        const answer = await connection.ask('folder', app.state);
        if (!isLatest()) return;
        app.folder = answer.ok ? answer.value : { ...UNKNOWN_FOLDER, problem: answer.message };
        redraw();
      }),
  };
  return app;
}
