/** The file of a shared memory on its page. */
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { SharedFile } from '../../protocol/explorer';
import type { App } from '../app';
import { day, fill, shortCommit } from '../texts';

/** Where a shared memory stands, and who changed it there last. */
export function fileOf(app: App, { path, committed, last }: SharedFile): TemplateResult {
  const { texts } = app;
  const said = [
    last && fill(texts.lastChanged, last.author, day(last.at), shortCommit(last.id)),
    committed === false ? (last ? texts.changedSince : texts.notCommitted) : null,
  ].filter((each) => each !== null);
  const place = { file_path: path, start_line: 1, end_line: 1 };
  return html`<dt>${texts.file}</dt>
    <dd><button class="link" @click=${() => app.send({ type: 'openCode', folder: app.state.folder, place })}>${path}</button>
      ${said.length === 0 ? nothing : html`<span class="meta">${said.join(' · ')}</span>`}</dd>`;
}
