/** The frame around every view. */
import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Place, View } from '../../protocol/explorer';
import type { App } from '../app';
import { fill } from '../texts';

/** What stands around every view: the way to the others, whose memory it is, and what is read out. */
export function frame(app: App, view: unknown): TemplateResult {
  const { texts, state } = app;
  return html`
    <header class="frame">
      <nav aria-label=${texts.views}>
        <button class="icon" aria-label=${texts.back} title=${texts.back} ?disabled=${state.back.length === 0}
          @click=${app.back}><span aria-hidden="true">←</span></button>
        <button class="icon" aria-label=${texts.forward} title=${texts.forward} ?disabled=${state.forward.length === 0}
          @click=${app.forward}><span aria-hidden="true">→</span></button>
        <ul class="tabs">
          ${tab(app, 'search', texts.search)} ${tab(app, 'timeline', texts.timeline)} ${tab(app, 'graph', texts.graph)}
          ${tab(app, 'audit', texts.audit)}
          ${state.place.view === 'memory' ? tab(app, 'memory', texts.memory) : nothing}
        </ul>
      </nav>
      <div class="whose">${folderChoice(app)} ${namespaceChoice(app)}</div>
    </header>
    ${app.folder?.access === 'foreign' ? foreignNotice(app) : nothing}
    ${app.folder?.teamLine ? html`<p class="note team-line" role="status">${app.folder.teamLine}</p>` : nothing}
    <main>${mainPart(app, view)}</main>
    <div class="announcement ${app.announcement.text === '' ? 'silent' : ''}" role="status">
      ${app.announcement.text}
      ${app.announcement.undo ? html`<button class="link" @click=${once(app.announcement.undo.run)}>${app.announcement.undo.name ?? app.texts.undo}</button>` : nothing}
    </div>`;
}

/** What a click brings has its button at the same place: the second half of a double click is not meant for it. */
function once(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) act();
  };
}

/** The warning above all views that the store is foreign. */
function foreignNotice({ texts, folder, state, send }: App): TemplateResult {
  return html`<aside class="foreign">
    <span>${texts.foreignStore}</span>
    ${
      folder?.trusted
        ? html`<button class="secondary" @click=${() => send({ type: 'accept', folder: state.folder })}>${texts.accept}</button>`
        : nothing
    }
  </aside>`;
}

function mainPart(app: App, view: unknown): unknown {
  const { texts, folder } = app;
  if (app.folders.length === 0) return html`<h1 tabindex="-1">${texts.title}</h1><p>${texts.noFolder}</p>`;
  // What a button mends needs no words of how.
  const problem = folder?.problem ? (folder.lost ?? folder.problem) : folder?.storeExists ? null : folder?.lost;
  if (folder && problem)
    return html`<h1 tabindex="-1">${texts.title}</h1><p class="problem" role="alert">${problem}</p>
      ${folder.lost !== null && folder.trusted ? restoreButton(app) : nothing}`;
  if (folder && !folder.storeExists)
    return html`<h1 tabindex="-1">${texts.title}</h1><p class="note">${texts.noStore}</p>`;
  return view;
}

function restoreButton({ texts, state, send }: App): TemplateResult {
  return html`<button class="secondary" @click=${() => send({ type: 'restore', folder: state.folder })}>${texts.restoreBackup}</button>`;
}

function tab({ state, go }: App, view: View, name: string): TemplateResult {
  const here = state.place.view === view;
  // What stood in the middle of the graph is there again; its tab, pressed once more, leads to its beginning.
  const place: Place = (here ? undefined : state.back.findLast((each) => each.view === view)) ?? { view };
  return html`<li><button class="tab" aria-current=${here ? 'page' : nothing}
    @click=${() => view !== 'memory' && go(place)}>${name}</button></li>`;
}

const chosen = ({ target }: Event): string => (target as HTMLSelectElement).value;

function folderChoice({ texts, folders, state, openMemoryOf }: App): unknown {
  if (folders.length < 2) return nothing;
  return html`<label>${texts.folder}
    <select @change=${(event: Event) => openMemoryOf(chosen(event), '')}>
      ${folders.map(({ uri, name }) => html`<option value=${uri} .selected=${live(uri === state.folder)}>${name}</option>`)}
    </select></label>`;
}

/** Looking into another namespace does not switch the editor to it. */
function namespaceChoice({ texts, folder, state, openMemoryOf }: App): unknown {
  if (!folder || folder.activeNamespace === '') return nothing;
  const { activeNamespace, namespaces, storePath } = folder;
  const shown = state.namespace === '' ? activeNamespace : state.namespace;
  const names = [...new Set([...namespaces, activeNamespace, shown])].sort();
  if (names.length === 1) return html`<span title=${storePath}>${fill(texts.namespace, shown)}</span>`;
  return html`<label title=${storePath}>${texts.namespaceTitle}
    <select @change=${(event: Event) => {
      const name = chosen(event);
      openMemoryOf(state.folder, name === activeNamespace ? '' : name);
    }}>
      ${names.map((name) => html`<option value=${name} .selected=${live(name === shown)}>${name}</option>`)}
    </select></label>`;
}
