/** Whether a person is at the command line: docs/behaviour.md, "Secrets" and "Foreign stores". */
import { unavailable } from '../base/errors';
import type { Cli } from './cli';

/** What only a person may do, and how. */
export interface PersonalAct {
  /** `accept a store` */
  readonly act: string;
  /** What the agent's user does in place of the agent. */
  readonly forUser: string;
  /** Where there is no terminal. */
  readonly withoutTerminal: string;
}

/** @throws SvcError unavailable for a command that an agent started: what is typed there is no person's word */
export function refuseAgents({ startedByAgent }: Pick<Cli, 'startedByAgent'>, { act, forUser }: PersonalAct): void {
  if (startedByAgent) throw unavailable(`Only a person can ${act}, and an agent runs this command`, forUser);
}

/** @returns how to ask the person at the terminal @throws SvcError unavailable where there is none, and for agents */
export function askingPerson(cli: Cli, personal: PersonalAct): NonNullable<Cli['ask']> {
  refuseAgents(cli, personal);
  if (cli.ask) return cli.ask;
  throw unavailable(`Only a person can ${personal.act}, and there is no terminal to ask on`, personal.withoutTerminal);
}
