/** Lets a person accept a foreign store in the window. */
import { type Editor, onRequest } from '../editor';
import { refusal, untrusted } from '../refusal';

/** `svc/trustStore`: what a foreign store is, and a person's word that it may be used. */
export function trustStore(editor: Editor): void {
  onRequest(editor, 'svc/trustStore', async ({ folder: uri, action }) => {
    try {
      const folder = editor.folders.get(uri);
      if (!editor.settings().trusted) throw untrusted();
      if (action === 'accept') await folder.accept();
      return { ok: true, account: await folder.account() };
    } catch (error) {
      return { ok: false, error: refusal(error, editor.log) };
    }
  });
}
