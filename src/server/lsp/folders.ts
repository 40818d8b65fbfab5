/** All folders of the window, and which of them a document is in. */
import { sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Changed, Uri } from '../../protocol/requests';
import { invalidInput } from '../base/errors';
import { quoted } from '../base/text';
import { Folder } from './folder';
import type { Opening } from './opening';
import type { Settings } from './settings';
import { pathOf } from './uris';

/** The folders of the window. */
export class Folders {
  private readonly byUri = new Map<Uri, Folder>();

  constructor(
    private readonly opening: Opening,
    private readonly settings: () => Settings,
    private readonly changed: (folder: Folder, what: Changed['what']) => void,
  ) {}

  all(): Folder[] {
    return [...this.byUri.values()];
  }

  add(uri: Uri): void {
    const path = pathOf(uri);
    if (path === undefined || this.byUri.has(uri)) return;
    const folder: Folder = new Folder(uri, path, this.opening, this.settings, (what) => this.changed(folder, what));
    this.byUri.set(uri, folder);
  }

  async remove(uri: Uri): Promise<void> {
    const folder = this.byUri.get(uri);
    this.byUri.delete(uri);
    await folder?.close();
  }

  /** @throws SvcError invalid_input for what is no folder of the window */
  get(uri: Uri): Folder {
    const folder = this.byUri.get(uri);
    if (folder) return folder;
    throw invalidInput(
      l10n.t('{0} is not a folder of this window', quoted(String(uri))),
      l10n.t('Its folders: {0}', [...this.byUri.keys()].map(quoted).join(', ') || l10n.t('none')),
    );
  }

  /** The innermost folder that the document lies in. */
  of(uri: Uri): { folder: Folder; path: string } | undefined {
    const path = pathOf(uri);
    if (path === undefined) return undefined;
    const [folder] = this.all()
      .filter((one) => path.startsWith(one.path.endsWith(sep) ? one.path : one.path + sep))
      .sort((a, b) => b.path.length - a.path.length);
    return folder && { folder, path };
  }

  async close(): Promise<void> {
    const all = this.all();
    this.byUri.clear();
    await Promise.all(all.map((folder) => folder.close()));
  }
}
