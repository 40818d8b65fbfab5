/** Keeps a consent that was given in the window. */
import { consentsOf } from '../../project/consents';
import { type Editor, onRequest } from '../editor';
import type { Opening } from '../opening';
import { refusal, untrusted } from '../refusal';

/**
 * `svc/rememberConsent`: what a person answered in the window, kept as an answer on a terminal is. Only the window speaks
 * to this server; a flag of the command line could be given by an agent, too.
 */
export function rememberConsent(editor: Editor, { around }: Pick<Opening, 'around'>): void {
  onRequest(editor, 'svc/rememberConsent', async ({ folder: uri, provider, host }) => {
    try {
      const folder = editor.folders.get(uri);
      if (!editor.settings().trusted) throw untrusted();
      consentsOf(around.home, folder.codeRoot()).remember(provider, host);
      return { ok: true };
    } catch (error) {
      return { ok: false, error: refusal(error, editor.log) };
    }
  });
}
