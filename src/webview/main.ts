/** Starts the page of the Memory explorer. */
import { render } from 'lit/html.js';
import type { Place, ToExplorer } from '../protocol/explorer';
import { type RunningApp, startApp, type ViewPart } from './app';
import { connect } from './connection';
import { listenToKeys } from './keys';
import { INITIAL_STATE, restored, samePlace } from './state';
import './style.css';
import { auditView } from './views/audit';
import { frame } from './views/frame';
import { graphView } from './views/graph';
import { memoryView } from './views/memory';
import { searchView } from './views/search';
import { timelineView } from './views/timeline';

/** The page of the Memory explorer: waits for the extension to start it, then follows its messages. */

let app: RunningApp | undefined;
let views: Readonly<Record<Place['view'], ViewPart>> | undefined;
let asked = false;
/** While a row elsewhere leads here and keeps the keys. */
let focusStays = false;

const connection = connect((message) => {
  if (message.type === 'start') start(message);
  else if (!app) return;
  else if (message.type === 'folders') changeFolders(app, message.folders);
  else if (message.type === 'focus') focusHeading();
  else if (message.type === 'open') {
    focusStays = message.keepFocus === true;
    openPlace(app, message);
    focusStays = false;
  } else if (message.folder === app.state.folder) {
    void app.reloadFolder();
    load();
  }
});

function start({ texts, language, folders }: Extract<ToExplorer, { type: 'start' }>): void {
  if (app) return;
  const kept = restored(connection.kept);
  const known = folders.some(({ uri }) => uri === kept.folder);
  const state = known ? kept : { ...kept, folder: folders[0]?.uri ?? '' };
  const running = startApp({ texts, language, folders, connection, state, redraw, moved });
  app = running;
  views = {
    search: searchView(running),
    timeline: timelineView(running),
    graph: graphView(running),
    audit: auditView(running),
    memory: memoryView(running),
  };
  document.documentElement.lang = language;
  redraw();
  void running.reloadFolder();
  load();
}

function changeFolders(running: RunningApp, folders: RunningApp['folders']): void {
  running.folders = folders;
  if (folders.some(({ uri }) => uri === running.state.folder)) redraw();
  else running.openMemoryOf(folders[0]?.uri ?? '', '');
}

function openPlace(
  running: RunningApp,
  { folder, namespace, place, asked: question }: Extract<ToExplorer, { type: 'open' }>,
): void {
  running.openMemoryOf(folder, namespace);
  // What an earlier question was narrowed to is not meant for this one.
  if (question !== undefined && place.view === 'search') {
    const { budget } = running.state.search;
    running.change({ search: { ...INITIAL_STATE.search, budget, query: question } });
  }
  if (question !== undefined && place.view === 'timeline') {
    running.change({ timeline: { ...INITIAL_STATE.timeline, topic: question } });
  }
  if (!samePlace(running.state.place, place)) running.go(place);
  else {
    load();
    focusHeading();
  }
}

function current(): ViewPart | undefined {
  return app && views?.[app.state.place.view];
}

/** Without an open folder there is no memory to ask. */
function load(): void {
  if (app && app.state.folder !== '') current()?.load();
}

function moved(from: Place, how: 'onwards' | 'back'): void {
  load();
  draw();
  const left = how === 'back' && from.id !== undefined ? `[data-node="${CSS.escape(from.id)}"]` : undefined;
  const row = left === undefined ? null : document.querySelector<HTMLElement>(left);
  if (!row) window.scrollTo(0, 0);
  if (row) row.focus();
  else focusHeading();
}

/** Where one types, on the pages that begin with that. */
const BOXES: Readonly<Partial<Record<Place['view'], string>>> = { search: '#query', timeline: '#topic' };

function focusHeading(): void {
  if (focusStays) return;
  // At first nothing is drawn yet, and later the box may still hold the question before.
  if (asked) draw();
  const box = app && BOXES[app.state.place.view];
  const field = box === undefined ? null : document.querySelector<HTMLInputElement>(box);
  (field ?? document.querySelector<HTMLElement>('h1'))?.focus();
  // What is typed takes the place of the last question.
  field?.select();
}

function redraw(): void {
  if (asked) return;
  asked = true;
  requestAnimationFrame(draw);
}

function draw(): void {
  asked = false;
  const view = current();
  if (app && view) render(frame(app, view.render()), document.body);
}

// A tab that comes back to the front may have another theme or size.
window.addEventListener('resize', redraw);
listenToKeys();
connection.send({ type: 'ready' });
