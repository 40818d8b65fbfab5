/** A running server of a team: its doors, its clients and its projects. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock';
import { unavailable, wrongUsage } from '../base/errors';
import { AuditLog } from './audit-log';
import { Changes } from './changes';
import { Clients } from './clients';
import { EngineWatch } from './engine-watch';
import { HttpDoor } from './http-door';
import { Metrics } from './metrics';
import { Oidc, type OidcOptions } from './oidc';
import type { RequestLog } from './request-log';
import { type EnginePair, type ServedOptions, ServedProjects } from './served-projects';
import { Snapshots } from './snapshots';
import type { TeamFolder } from './team-folder';
import { isOurs, Tokens } from './tokens';

export interface Listening {
  readonly host: string;
  readonly port: number;
}

export interface ServeTeam {
  readonly folder: TeamFolder;
  readonly listen: Listening;
  /** For the operator of the server: health and metrics; nobody is asked for a token there. */
  readonly operate: Listening | undefined;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Something in front of it speaks TLS. */
  readonly behindProxy: boolean;
  readonly oidc: OidcOptions | undefined;
  /** Where the databases are, when they are not in the folder. */
  readonly engine: EnginePair | undefined;
  /** Starts the engine again. */
  readonly restartEngine: (() => Promise<void>) | undefined;
  readonly project: Omit<ServedOptions, 'log' | 'clock'>;
  readonly log: RequestLog;
  readonly clock: Clock;
}

export interface RunningTeam {
  /** With the port that was given to it. */
  readonly listen: Listening;
  readonly operate: Listening | undefined;
  /** Answers those inside, lets nobody in, and closes all stores. */
  close(): Promise<void>;
}

/** How long those inside may take, in milliseconds. */
const PATIENCE_MS = 10_000;
const LOCAL = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * @throws SvcError not_found for a folder without a project, invalid_input for an address that others can reach without
 *   TLS, unavailable for a store that cannot be opened or an address that is taken
 */
export async function serveTeam(options: ServeTeam): Promise<RunningTeam> {
  const { folder, listen, operate, tls, behindProxy, oidc, log, clock } = options;
  const names = folder.requireProjects();
  if (!tls && !behindProxy && !LOCAL.has(listen.host)) {
    throw wrongUsage(
      `${listen.host} can be reached from other machines, and tokens would go there unprotected`,
      'Give --tls-cert and --tls-key, or say --behind-proxy where a proxy speaks TLS',
    );
  }
  const warn = (message: string): void => log.event('warning', message);
  const projects = new ServedProjects(folder, { ...options.project, log: warn, clock }, options.engine);
  const watch =
    options.engine &&
    new EngineWatch({
      ...{ stores: projects.onEngine, renew: (name: string) => projects.store(name), log: warn },
      restart: options.restartEngine,
    });
  const audit = new AuditLog(folder.auditFile, warn);
  const tokens = new Tokens(folder.tokensFile);
  const issuer = oidc && new Oidc(oidc, warn);
  const metrics = new Metrics(
    () => clients.size,
    () => changes.counts(),
    watch,
  );
  const clients = new Clients({ projects, clock, log: warn, audit, metrics });
  const snapshots = new Snapshots({ projects, metrics, clock });
  const changes = new Changes({ projects, metrics, clock });
  const door = new HttpDoor({
    ...{ folder, clients, snapshots, changes, tls, log, clock },
    visitor: async (token) => (isOurs(token) ? tokens.find(token, clock()) : issuer?.visitor(token)),
    refusedWith: (status) => metrics.refusedWith(status),
  });
  const closeAll = async (): Promise<void> => {
    watch?.close();
    await snapshots.close();
    await clients.close();
    await projects.close();
    audit.close();
  };
  try {
    // What cannot be opened is told now, not to the first caller.
    for (const name of names) await projects.store(name);
    watch?.askReplicas();
    tokens.list();
    const port = await door
      .listen(listen.host, listen.port)
      .catch((error: unknown) => Promise.reject(taken(listen, '--listen', error)));
    const operators = operate && (await openOperators(operate, { metrics, projects, names, watch }));
    return {
      listen: { ...listen, port },
      operate: operators?.at,
      async close() {
        // Who listens is never answered: nobody is waited for there.
        changes.close();
        await door.close(PATIENCE_MS);
        await operators?.close();
        await closeAll();
      },
    };
  } catch (error) {
    // Else a door that is open already would keep the process from ending, with closed stores behind it.
    await door.close(0);
    await closeAll();
    throw error;
  }
}

function taken({ host, port }: Listening, option: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return unavailable(`${host}:${port} cannot be listened on (${code})`, `Give another one with ${option}`);
}

interface Operated {
  readonly metrics: Metrics;
  readonly projects: ServedProjects;
  readonly names: readonly string[];
  readonly watch: EngineWatch | undefined;
}

/** Health and metrics, on an address of their own. */
async function openOperators(at: Listening, { metrics, projects, names, watch }: Operated) {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const say = (value: object): void => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(value)}\n`);
      };
      if (request.url === '/metrics') {
        const text = await metrics.text();
        response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
      } else if (request.url === '/ready') {
        // Ready is who can read each project.
        for (const name of names) await (await projects.store(name)).store.get('SELECT 1');
        say({ status: 'ready' });
      } else if (request.url === '/health') {
        // What cannot be written is no reason to end this process: it is read on, and the engine is what has to be helped.
        say({ status: 'ok', ...(watch ? { cannot_write: watch.stuckProjects } : {}) });
      } else response.writeHead(404).end();
    };
    answer().catch(() =>
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"status":"not ready"}\n'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(taken(at, '--operate', error)));
    server.listen(at.port, at.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    at: { ...at, port },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
