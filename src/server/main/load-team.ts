/** How this process asks the memory of a team: with the token of its environment, through a bundle that is loaded on use. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { SvcError, unavailable } from '../base/errors';
import { failureOf, TeamError } from '../base/team-error';
import type { ConnectTeam, TeamMemory } from '../project/team-memory';
import type { connectTeam } from '../team-client/connect';
import { runPersonsCommand } from './persons-command';
import { takeVariable, variable } from './process';

/** A person may have to unlock a vault. */
const COMMAND_LIMIT_MS = 60_000;
const MAX_TOKEN_BYTES = 10_000;

let token: string | undefined;
let isTaken = false;

/** Taken out of the environment, which programs that this one starts would see. */
function tokenOfEnvironment(): string | undefined {
  if (!isTaken) token = takeVariable('SVC_MEMORY_TOKEN');
  isTaken = true;
  return token;
}

/**
 * What connects to the team of a project. The bundle is loaded at the first call.
 * @param given a token that a person gave elsewhere for an address, which comes before that of the environment
 */
export function teamConnector(given?: (address: string) => Promise<string | undefined>): ConnectTeam {
  // At the start, before anything else is started.
  const own = tokenOfEnvironment();
  const command = variable('SVC_MEMORY_TOKEN_COMMAND');
  let printed: string | undefined;
  const tokenNow = async (again: boolean): Promise<string | undefined> => {
    if (own !== undefined || command === undefined) return own;
    if (printed === undefined || again) printed = await printedBy(command);
    return printed;
  };
  const forAddress = variable('SVC_MEMORY_TOKEN_FOR');
  return (address) => {
    let made: TeamMemory | undefined;
    const loaded = (): TeamMemory => {
      // A token that was given for one server is shown to no other.
      const ofEnvironment = forAddress === undefined || forAddress === address ? tokenNow : async () => undefined;
      const token = async (again: boolean): Promise<string | undefined> =>
        (await given?.(address)) ?? ofEnvironment(again);
      made ??= load().connectTeam({ address, version, token });
      return made;
    };
    const asked = async <Answer>(ask: (team: TeamMemory) => Promise<Answer>): Promise<Answer> => {
      try {
        return await ask(loaded());
      } catch (error) {
        throw ofThisBundle(error);
      }
    };
    return {
      address,
      call: (...call) => asked((team) => team.call(...call)),
      fetchCopy: (...call) => asked((team) => team.fetchCopy(...call)),
      follow: (...call) => asked((team) => team.follow(...call)),
      close: async () => made?.close(),
    };
  };
}

/** The other bundle has an error class of its own. */
function ofThisBundle(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'SvcError' || error instanceof SvcError) return error;
  const { code, problem, remedy } = error as SvcError;
  const failure = failureOf(error);
  return failure ? new TeamError(failure, code, problem, remedy) : new SvcError(code, problem, remedy);
}

function load(): { readonly connectTeam: typeof connectTeam } {
  return createRequire(__filename)(join(__dirname, 'svc-team-client.bundle.js'));
}

/** The command is the person's own: it stands in their environment, and in no file of a project. */
async function printedBy(command: string): Promise<string> {
  const limits = { timeoutMs: COMMAND_LIMIT_MS, maxBytes: MAX_TOKEN_BYTES };
  const found = (await runPersonsCommand(command, limits).catch(() => '')).trim();
  if (found !== '' && !/\s/.test(found)) return found;
  throw unavailable(
    'The command in SVC_MEMORY_TOKEN_COMMAND did not print a token',
    'It has to end with status 0 and print the token alone on standard output',
  );
}
