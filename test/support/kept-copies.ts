import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { member } from './team-member';
import { connectTo, type Team, type TeamServer } from './team-server';

export const DECISION = {
  content: 'Retries stop after five attempts',
  kind: 'decision',
  rationale: 'the provider blocks us',
};
export const OF_THE_COPY =
  /^The team's memory does not answer now: what is the team's is from a copy of \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/;

export async function stop({ process, exit }: TeamServer): Promise<void> {
  process.kill('SIGKILL');
  await exit;
}

/** What is kept of teams on this machine. */
export async function kept({ home }: Team): Promise<string[]> {
  const folder = join(home, '.svc', 'teams');
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

export async function copyOf(team: Team): Promise<string> {
  const [path = '', ...others] = await kept(team);
  expect(others).toEqual([]);
  return path;
}

/** A member of a team with one decision of somebody else. */
export async function joined(team: Team): Promise<{ server: TeamServer; env: Record<string, string>; id: string }> {
  const server = await team.start();
  const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
  const { node_id } = await bob.value<{ node_id: string }>('memory_store', DECISION);
  const { env } = await member(team, server, 'reader');
  return { server, env, id: node_id };
}
