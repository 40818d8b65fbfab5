/** What `svc-memory serve` and `svc-memory admin` run: a bundle of its own, which the other commands do not load. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { buildTeamProgram } from '../cli/team-program';
import * as admin from '../team/admin';
import { requestLog } from '../team/request-log';
import { type RunningTeam, serveTeam } from '../team/serve-team';
import { TeamFolder } from '../team/team-folder';
import type { ServeRequest, TeamProgram } from '../team/team-program';
import { runCommandLine } from './command-line';
import { gitHost, processSurroundings, stderrLog, tokenizer } from './process';

/** The program on this process. */
function openTeamProgram(): TeamProgram {
  const { cwd, home } = processSurroundings();
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
    serve: (request) => serve(at(request.folder), request, { home, git: gitHost(), tokenizer }, cwd),
    addProject: (folder, name) => admin.addProject(at(folder), name, owner),
    migrate: (folder) => admin.migrateProjects(at(folder), owner),
    addToken: (folder, token) => admin.addToken(at(folder), token, Date.now()),
    listTokens: (folder) => admin.listTokens(at(folder)),
    revokeToken: (folder, id) => admin.revokeToken(at(folder), id),
  };
}

async function serve(
  folder: TeamFolder,
  { listen, operate, tls, behindProxy, oidc }: ServeRequest,
  project: Parameters<typeof serveTeam>[0]['project'],
  cwd: string,
): Promise<RunningTeam> {
  process.stderr.on('error', () => {});
  const read = (path: string): Buffer => readPem(resolve(cwd, path));
  return serveTeam({
    ...{ folder, listen, operate, behindProxy, oidc, project, clock: Date.now },
    tls: tls && { cert: read(tls.cert), key: read(tls.key) },
    log: requestLog((line) => process.stderr.write(line)),
  });
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
