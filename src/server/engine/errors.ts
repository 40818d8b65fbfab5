/** What callers are told where the engine cannot do what is asked. */
import { SvcError, unavailable } from '../base/errors';
import type { EngineDatabase } from './connection';

/** Nobody is there, or nobody who knows the project. */
export class EngineGone extends SvcError {
  constructor({ engine, name }: EngineDatabase) {
    super(
      'unavailable',
      `The engine at ${engine.shown} does not answer, or has no database for the project ${name}`,
      'Nothing was written. Try again later; the operator of the server sees it at /health',
    );
  }
}

/** Whether it was kept cannot be asked any more. */
export function maybeWritten({ engine }: EngineDatabase): SvcError {
  return unavailable(
    `The engine at ${engine.shown} went away while it was writing, and whether it was kept is not known`,
    'Send the call once more with the same key, or look whether it is there',
  );
}

export function closedMeanwhile({ name }: EngineDatabase): SvcError {
  return unavailable(`The project ${name} was closed in the meantime`, 'Nothing was changed. Try again');
}

/** @param what cannot be done */
export function notOnEngine(what: string, instead: string): SvcError {
  return unavailable(`${what} is not possible for a project in an engine`, `Nothing was changed. ${instead}`);
}

/** The token, or that there is none, is wrong. */
export function notLetIn({ engine }: EngineDatabase): SvcError {
  return unavailable(
    `The engine at ${engine.shown} does not let us in`,
    'The operator of the server has to set SVC_MEMORY_DB_TOKEN to a token that may read and write all projects',
  );
}

const TLS_PROBLEM = /^ERR_(?:SSL|TLS)_|CERT|^UNABLE_TO_|^EPROTO$/;

/** Why a connection did not come about, where waiting does not help. @param code of the error of its socket */
export function refusedBySocket(database: EngineDatabase, code = ''): SvcError | undefined {
  if (!TLS_PROBLEM.test(code)) return undefined;
  return unavailable(
    `The engine at ${database.engine.shown} cannot be reached over TLS (${code})`,
    'Check the certificate of what stands in front of it. NODE_EXTRA_CA_CERTS names the file of an issuer of your own',
  );
}
