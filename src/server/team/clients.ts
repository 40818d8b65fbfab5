/** The clients of a server, one for each session of the protocol. */
import { createHash, randomUUID } from 'node:crypto';
import { type Clock, MINUTE_MS, timestamp } from '../base/clock';
import { HOST } from '../base/host';
import type { Log } from '../base/log';
import { cut, oneLine } from '../base/text';
import { Folders } from '../mcp/folders';
import { LazyProject } from '../mcp/lazy-project';
import { memoryMethods } from '../mcp/memory-server';
import type { Methods } from '../mcp/serve';
import { DEFAULT_NAMESPACE } from '../memory/limits';
import type { Holder, Scope } from '../memory/memory';
import { LEASE_MS } from '../memory/sessions/leases';
import { type Connection, dropConnection, findConnection, keepConnection } from '../memory/team/connections';
import type { Project } from '../project/open';
import type { ToolAnswer } from '../tools/call-tool';
import type { Tool } from '../tools/define-tool';
import { MEMORY_TOOLS } from '../tools/registry';
import type { AuditLog } from './audit-log';
import type { Metrics } from './metrics';
import { mayCall, type Role, refusalOf, SERVED_TOOLS } from './roles';
import type { ServedProjects } from './served-projects';

/** Who asks, in which project. */
export interface Caller {
  readonly project: string;
  readonly person: string;
  readonly role: Role;
}

/** One client, as this process knows it. What must outlive the process is in the store. */
export interface Client {
  readonly methods: Methods;
  /** By the id of their request: what ends them. */
  readonly running: Map<string | number, AbortController>;
  readonly close: () => Promise<void>;
}

interface KnownClient extends Client {
  readonly role: Role;
  /** Undefined until its project is open. */
  readonly scope: () => Scope | undefined;
  readonly takeScope: (scope: Scope) => void;
  usedAt: number;
  busy: number;
}

interface ClientsOptions {
  readonly projects: ServedProjects;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly metrics: Metrics;
}

/** A process forgets a client that is silent for so long; the store still knows it. */
const FORGET_AFTER_MS = 30 * MINUTE_MS;
const MAX_CLIENT_NAME = 100;

export class Clients {
  private readonly known = new Map<string, KnownClient>();

  constructor(private readonly options: ClientsOptions) {}

  get size(): number {
    return this.known.size;
  }

  /** @returns the secret by which the client is known from now on */
  async begin(caller: Caller, name: string): Promise<string> {
    const { projects, clock } = this.options;
    const session = randomUUID();
    const principal = await projects.principal(caller.project, caller.person);
    const client = cut(oneLine(name), MAX_CLIENT_NAME) || 'unknown client';
    const { store } = await projects.store(caller.project);
    await keepConnection(store, { id: keyOf(session), principal, client }, FIRST_SCOPE, clock());
    return session;
  }

  /**
   * Runs `work` for a client that began before, here or in another process.
   * @returns undefined where nobody knows it, or it is somebody else's
   */
  async with<Result>(
    session: string,
    caller: Caller,
    work: (client: Client) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { projects, clock } = this.options;
    const id = keyOf(session);
    const now = clock();
    const { store } = await projects.store(caller.project);
    const kept = await findConnection(store, id, now);
    if (!kept || kept.principal !== (await projects.principal(caller.project, caller.person))) return undefined;
    const client = this.clientOf(kept, caller);
    client.usedAt = now;
    // Another process may have gone on with it meanwhile.
    if (client.busy === 0) client.takeScope(kept.scope);
    client.busy++;
    try {
      return await work(client);
    } finally {
      client.busy--;
      const scope = client.scope();
      if (scope && (kept.isDue || JSON.stringify(scope) !== JSON.stringify(kept.scope))) {
        await keepConnection(store, kept, scope, now);
      }
      this.forgetSilent(now);
    }
  }

  /** @returns false where nobody knows it */
  async end(session: string, caller: Caller): Promise<boolean> {
    const ended = await this.with(session, caller, async (client) => {
      await client.close();
      return true;
    });
    if (!ended) return false;
    this.known.delete(keyOf(session));
    await dropConnection((await this.options.projects.store(caller.project)).store, keyOf(session));
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.known.values()].map((client) => client.close()));
  }

  private forgetSilent(now: number): void {
    for (const [id, client] of this.known) {
      if (client.busy > 0 || now - client.usedAt < FORGET_AFTER_MS) continue;
      this.known.delete(id);
      client.close().catch(() => undefined);
    }
  }

  private clientOf(kept: Connection, caller: Caller): KnownClient {
    const known = this.known.get(kept.id);
    // A role that was given or taken away counts from the next call on.
    if (known && known.role === caller.role) return known;
    known?.close().catch(() => undefined);
    const client = this.open(kept, caller);
    this.known.set(kept.id, client);
    return client;
  }

  private open(connection: Connection, caller: Caller): KnownClient {
    const { projects, clock, log } = this.options;
    const { role } = caller;
    let project: Project | undefined;
    let begin: Scope | undefined;
    const holder = (): Holder => ({
      ...{ principal: connection.principal, pid: process.pid, host: HOST },
      // What the server says of a person stands before what a client says of itself.
      client: `${caller.person} · ${connection.client}`,
      ...{ by: 'agent', leaseMs: LEASE_MS, undoesOthers: role === 'maintainer' },
    });
    const folders = new Folders([{ name: '', path: '', openProject: async () => open() }], ({ openProject }) => {
      return new LazyProject(() => openProject([], () => connection.client));
    });
    const open = async (): Promise<Project> => {
      project = await projects.openFor(caller.project, holder);
      if (begin) Object.assign(project.memory.scope, begin);
      return project;
    };
    const methods = memoryMethods(
      MEMORY_TOOLS,
      SERVED_TOOLS.filter((tool) => tool.audience !== 'human' && mayCall(role, tool)),
      log,
      folders,
      { asksUser: () => false },
      {
        callable: SERVED_TOOLS,
        refuse: (tool) => refusalOf(role, tool),
        answered: (tool, answer, ms) => this.note(caller, connection.client, tool, answer, ms),
      },
    );
    return {
      ...{ role, methods, running: new Map(), usedAt: clock(), busy: 0 },
      scope: () => project?.memory.scope,
      takeScope: (kept) => {
        begin = { ended: undefined, ...kept, session: kept.session };
        if (project) Object.assign(project.memory.scope, begin);
      },
      close: () => folders.close(),
    };
  }

  private note({ project, person, role }: Caller, client: string, tool: Tool, answer: ToolAnswer, ms: number): void {
    const { clock, audit, metrics } = this.options;
    const outcome = answer.ok ? 'ok' : answer.code;
    metrics.called({ project, tool: tool.name, effect: tool.effect, outcome, ms });
    if (tool.effect === 'read') return;
    const operation = answer.ok ? answer.operation : undefined;
    audit.note({
      ...{ at: timestamp(clock()), project, person, role, client, tool: tool.name, outcome },
      ...(operation === undefined ? {} : { operation }),
    });
  }
}

const FIRST_SCOPE: Scope = { namespace: DEFAULT_NAMESPACE, session: undefined };

/** The store holds what nobody can come in with. */
function keyOf(session: string): string {
  return createHash('sha256').update(session).digest('base64url');
}
