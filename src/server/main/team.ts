/** What `svc-memory serve` and `svc-memory admin` run: a bundle of its own, which the other commands do not load. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { buildTeamProgram } from '../cli/team-program';
import { type Engine, engineAdminAt, engineAt, isEngineAddress, PLAIN_VARIABLE } from '../engine/address';
import * as admin from '../team/admin';
import { requestLog } from '../team/request-log';
import { type RunningTeam, serveTeam } from '../team/serve-team';
import type { EnginePair } from '../team/served-projects';
import { TeamFolder } from '../team/team-folder';
import type { ServeRequest, TeamProgram } from '../team/team-program';
import { runCommandLine } from './command-line';
import { runPersonsCommand } from './persons-command';
import { gitHost, processSurroundings, stderrLog, takeVariable, tokenizer, variable } from './process';

/** The program on this process. */
function openTeamProgram(): TeamProgram {
  const { cwd, home, storeFile } = processSurroundings();
  // Taken now, before anything else is started; what is wrong with the address is told by the command that needs it.
  const secrets = { token: takeVariable('SVC_MEMORY_DB_TOKEN'), key: takeVariable('SVC_MEMORY_DB_ADMIN_KEY') };
  const access = (): admin.EngineAccess | undefined =>
    storeFile === undefined ? undefined : engineNamed(storeFile, secrets);
  const owner = { home, git: gitHost(), log: stderrLog('svc-memory') };
  const at = (path: string): TeamFolder => new TeamFolder(resolve(cwd, path));
  return {
    ended: new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.once(signal, () => {
          process.once(signal, () => process.exit(1));
          resolve();
        });
      }
    }),
    async serve(request) {
      const engine = access()?.engine;
      return serve(at(request.folder), request, { home, git: gitHost(), tokenizer }, cwd, engine && pairOf(engine));
    },
    addProject: async (folder, name) => admin.addProject(at(folder), name, owner, access()),
    migrate: async (folder) => admin.migrateProjects(at(folder), owner, access()),
    erase: async (folder, project) => admin.eraseProject(at(folder), project, access()),
    addToken: (folder, token) => admin.addToken(at(folder), token, Date.now()),
    listTokens: (folder) => admin.listTokens(at(folder)),
    revokeToken: (folder, id) => admin.revokeToken(at(folder), id),
  };
}

async function serve(
  folder: TeamFolder,
  { listen, operate, tls, behindProxy, oidc, restartEngine }: ServeRequest,
  project: Parameters<typeof serveTeam>[0]['project'],
  cwd: string,
  engine: EnginePair | undefined,
): Promise<RunningTeam> {
  process.stderr.on('error', () => {});
  const read = (path: string): Buffer => readPem(resolve(cwd, path));
  return serveTeam({
    ...{ folder, listen, operate, behindProxy, oidc, project, engine, clock: Date.now },
    restartEngine: restartEngine === undefined ? undefined : () => runOnce(restartEngine),
    tls: tls && { cert: read(tls.cert), key: read(tls.key) },
    log: requestLog((line) => process.stderr.write(line)),
  });
}

/** Long enough for an engine that reads a large log when it starts. */
const RESTART_LIMITS = { timeoutMs: 120_000, maxBytes: 1_000_000 };

async function runOnce(command: string): Promise<void> {
  await runPersonsCommand(command, RESTART_LIMITS);
}

/** @throws SvcError invalid_input */
function pairOf(primary: Engine): EnginePair {
  const replica = variable('SVC_MEMORY_DB_REPLICA');
  return {
    primary,
    replica:
      replica === undefined
        ? undefined
        : engineAt(replica, primary.token, { variable: 'SVC_MEMORY_DB_REPLICA', plainAllowed: plainAllowed() }),
  };
}

function plainAllowed(): boolean {
  return variable(PLAIN_VARIABLE) === 'yes';
}

/** A path names the store of other commands. @throws SvcError invalid_input */
function engineNamed(
  address: string,
  { token, key }: { readonly token: string | undefined; readonly key: string | undefined },
): admin.EngineAccess | undefined {
  if (!isEngineAddress(address)) return undefined;
  const adminAddress = variable('SVC_MEMORY_DB_ADMIN');
  const named = { plainAllowed: plainAllowed() };
  return {
    engine: engineAt(address, token, named),
    admin: adminAddress === undefined ? undefined : { address: engineAdminAt(adminAddress, named), key },
  };
}

function readPem(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw unavailable(`${shownPath(path)} cannot be read`, 'Give a file with a certificate or a key in PEM form');
  }
}

void runCommandLine('svc-memory', (cli, finish, print) => buildTeamProgram(cli, finish, print, openTeamProgram()), {
  stopsByItself: true,
});
