/** The memory of a team, beside the store of a project: whether it may be asked, and what asks it. */
import { existsSync } from 'node:fs';
import type { StorePlace } from '../../store-place/store-place';
import type { Log } from '../base/log';
import { failureOf, isUnasked } from '../base/team-error';
import { configFile, readConfig } from './config';
import { consentsOf } from './consents';
import { lookedAtAgain } from './looked-at-again';
import { countOutbox, OutboxSender } from './outbox';
import { forgetTeam, TeamCopy } from './team-copy';

export interface TeamCall {
  readonly signal?: AbortSignal;
  /** In milliseconds, connecting included. */
  readonly limitMs?: number;
  /** A writing call that comes with it once more gets the first answer. */
  readonly callKey?: string;
  /** Called before the call itself is sent, which may be once more: from then on it may have been carried out. */
  readonly sending?: () => Promise<void>;
}

/** A server of a team, and one project of it. */
export interface TeamMemory {
  /** `https://memory.example/shop` */
  readonly address: string;
  /**
   * Calls a tool there, in one request.
   * @returns its value: a stranger's, until it is checked
   * @throws SvcError unavailable where the server does not answer or lets nobody in; the server's own refusals
   */
  call(tool: string, input: Readonly<Record<string, unknown>>, options?: TeamCall): Promise<unknown>;
  /**
   * Fetches a file with all that there is, unless it is the one with the tag that is known: then no file is made.
   * @returns its tag: a stranger's, as the file is
   * @throws Error
   */
  fetchCopy(file: string, known: string | undefined, signal: AbortSignal): Promise<string>;
  /**
   * Listens until the server, or something between, ends it.
   * @param heard with the number of the last change: at the start, and after each one
   * @throws SvcError unavailable where the server does not answer or lets nobody in, and where the line is cut
   */
  follow(heard: (version: number) => void, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** One that this person has agreed to ask, and what is kept of it on this machine. */
export interface KnownTeam extends TeamMemory {
  readonly copy: TeamCopy;
  /** How many wait here to be sent, and how many the server did not take. */
  waiting(): Promise<{ readonly waiting: number; readonly refused: number }>;
}

export type ConnectTeam = (address: string) => TeamMemory;

/** As a provider in the files of consents: whoever owns a repository chooses the address, and questions go there. */
const CONSENT = 'team';
/** A command that has answered waits no longer for a copy. A server of an agent has all the time. */
const CLOSE_LIMIT_MS = 500;

interface TeamOptions {
  readonly place: StorePlace;
  readonly home: string;
  readonly log: Log;
  readonly connect: ConnectTeam;
}

export interface ProjectTeam {
  /** Undefined where the project names none, or nobody has agreed to ask it. */
  readonly team: () => KnownTeam | undefined;
  readonly close: () => Promise<void>;
}

export const NO_TEAM: ProjectTeam = { team: () => undefined, close: async () => {} };

/** Follows `team` in `.svc/config.yaml`, and the person's consent to it. */
export function projectTeam({ place, home, log, connect }: TeamOptions): ProjectTeam {
  let known: KnownTeam | undefined;
  const close = async (): Promise<void> => {
    const before = known;
    known = undefined;
    await before?.close();
  };
  const agreedTo = (): string | undefined => {
    const { address, agreed } = namedTeam(place, home);
    return agreed ? address : undefined;
  };
  const addressNow = lookedAtAgain(agreedTo, undefined, log);
  return {
    close,
    team: () => {
      const address = addressNow();
      if (address !== known?.address) {
        close().catch((error: unknown) => log(`the team's memory: ${String(error)}`));
        known = address === undefined ? undefined : knownTeam(connect(address), home, log);
      }
      return known;
    },
  };
}

/** After an answer a newer copy is fetched, when it is time, and what waits is sent. */
export function knownTeam(team: TeamMemory, home: string, log: Log): KnownTeam {
  const copy = new TeamCopy({ home, address: team.address, log });
  const sender = new OutboxSender(home, log);
  return {
    ...team,
    copy,
    waiting: () => countOutbox(home, team.address),
    async call(...call) {
      const value = await team.call(...call).catch((error: unknown) => {
        const failure = failureOf(error);
        // Who is refused a call was let in to make it.
        if (failure === 'refused') copy.noteAnswer(true);
        if (failure === 'shut' && !isUnasked(error)) copy.noteAnswer(false);
        throw error;
      });
      copy.noteAnswer(true);
      copy.freshen(team);
      // Who stores there is sending what waits.
      if (call[0] !== 'memory_store') sender.sendSoon(team);
      return value;
    },
    async close() {
      await Promise.all([copy.close(CLOSE_LIMIT_MS), sender.close(CLOSE_LIMIT_MS)]);
      await team.close();
    },
  };
}

/**
 * What the project names, and whether this person has agreed to ask it. The home store is nobody's project.
 * @throws SvcError invalid_input for a file that cannot be read
 */
export function namedTeam(
  { root, ...place }: StorePlace,
  home: string,
): { readonly address: string | undefined; readonly agreed: boolean } {
  if (root === undefined) return { address: undefined, agreed: false };
  const { team } = readConfig(configFile({ ...place, root }, root, existsSync, home), []);
  return { address: team, agreed: team !== undefined && consentsOf(home, root).given(CONSENT, team) };
}

/** @throws SvcError unavailable when it cannot be kept */
export function agreeToTeam(root: string, home: string, address: string): void {
  consentsOf(home, root).remember(CONSENT, address);
}

/** What is kept of the team on this machine goes, too. */
export function disagreeToTeam(root: string, home: string, address: string): void {
  consentsOf(home, root).forget(CONSENT, address);
  forgetTeam(home, address);
}
