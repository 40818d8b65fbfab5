/** The stored consents to send documents to a provider. */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { type Clock, timestamp } from '../base/clock';
import { unavailable } from '../base/errors';
import { makeFolders } from '../base/make-folders';
import { shownPath } from '../base/text';

/**
 * The consents of a person to send documents of a project to a provider. They are in the user's home, because files in
 * a project may have come with it. Each consent is a file, so that processes never overwrite each other's; deleting the
 * file takes the consent back.
 */
export interface Consents {
  /** @param host of the server, as the question shows it */
  given(provider: string, host: string): boolean;
  /** @throws SvcError unavailable when it cannot be kept */
  remember(provider: string, host: string): void;
}

interface KeptConsents extends Consents {
  /** One that was not given is no error. */
  forget(provider: string, host: string): void;
}

interface Consent {
  /** The project's real path: a link to it is the same project, and a link that leads elsewhere tomorrow is not. */
  readonly path: string;
  readonly provider: string;
  readonly host: string;
}

const FOLDER = 'consent';
const MAX_BYTES = 20_000;
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const OTHERS = 0o077;

export function consentsOf(home: string, root: string, clock: Clock = Date.now): KeptConsents {
  const folder = join(home, STORE_FOLDER, FOLDER);
  const consentTo = (provider: string, host: string): Consent => ({ path: realpathSync(root), provider, host });
  return {
    given: (provider, host) => isGiven(folder, consentTo(provider, host)),
    forget: (provider, host) => rmSync(join(folder, nameOf(consentTo(provider, host))), { force: true }),
    remember(provider, host) {
      try {
        keep(folder, consentTo(provider, host), timestamp(clock()));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error;
        throw unavailable(
          `Your answer cannot be stored in ${shownPath(folder)}, so nothing was sent`,
          'Give this user the right to write there, or pass --yes',
        );
      }
    },
  };
}

function isGiven(folder: string, consent: Consent): boolean {
  try {
    const place = lstatSync(folder);
    const file = join(folder, nameOf(consent));
    const state = lstatSync(file);
    // A file that another user, or a checkout into the home folder, could have put there is not a consent.
    if (!isPrivate(place.mode) || !isPrivate(state.mode) || state.uid !== place.uid) return false;
    if (!state.isFile() || state.size > MAX_BYTES) return false;
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return says(kept, consent);
  } catch {
    return false;
  }
}

function says(kept: unknown, { path, provider, host }: Consent): boolean {
  if (typeof kept !== 'object' || kept === null) return false;
  const told = kept as Partial<Record<keyof Consent, unknown>>;
  return told.path === path && told.provider === provider && told.host === host;
}

/** Writes a draft and moves it into place, so that no reader sees half of it. */
function keep(folder: string, consent: Consent, given_at: string): void {
  makeFolders(folder, OWN_FOLDER);
  chmodSync(folder, OWN_FOLDER);
  const file = join(folder, nameOf(consent));
  const aside = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeFileSync(aside, `${JSON.stringify({ ...consent, given_at }, null, 2)}\n`, { mode: OWN_FILE, flag: 'wx' });
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function nameOf({ path, provider, host }: Consent): string {
  return `${createHash('sha256')
    .update(JSON.stringify([path, provider, host]))
    .digest('hex')
    .slice(0, 32)}.json`;
}

/** Windows reports no rights here, but its home folders belong to their users alone. */
function isPrivate(mode: number): boolean {
  return process.platform === 'win32' || (mode & OTHERS) === 0;
}
