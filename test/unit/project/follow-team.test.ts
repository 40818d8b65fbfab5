import { expect, it } from 'vitest';
import { TeamError } from '../../../src/server/base/team-error';
import { followTeam } from '../../../src/server/project/follow-team';

type Heard = (version: number) => void;
type Line = (heard: Heard) => Promise<void>;

const silent: Line = () => Promise.reject(new TeamError('silent', 'unavailable', 'It does not answer', 'Wait'));
const shut: Line = () => Promise.reject(new TeamError('shut', 'unavailable', 'It lets nobody in', 'Ask'));
const cut: Line = async (heard) => heard(1);

/** Follows these lines, one after the other; what happened is told in order. */
function followed(lines: readonly Line[], { lasts = 0 } = {}): Promise<string[]> {
  const happened: string[] = [];
  let at = 0;
  let next = 0;
  return new Promise((resolve) => {
    followTeam(
      {
        follow: async (heard) => {
          const line = lines[next++];
          if (!line) return resolve(happened);
          at += lasts;
          await line(heard);
        },
      },
      {
        changed: () => happened.push('changed'),
        state: (state) => happened.push(state),
        random: () => 0,
        now: () => at,
        wait: async (ms, signal) => {
          happened.push(String(ms));
          return !signal.aborted && next <= lines.length;
        },
      },
    );
  });
}

it('waits longer and longer for a server that is silent, and says so once', async () => {
  expect(await followed([silent, silent, silent, silent, silent, silent, silent])).toEqual([
    '500',
    'silent',
    ...['1000', '2000', '4000', '7500', '7500', '7500'],
  ]);
});

it('comes back at once to a line that held for a while, and asks again for what it may have missed', async () => {
  expect(await followed([cut, cut], { lasts: 60_000 })).toEqual(['changed', '250', 'changed', '250']);
});

it('waits for a line that is cut each time as for a server that is silent', async () => {
  expect(await followed([cut, cut, cut])).toEqual(['changed', '500', 'changed', '1000', 'changed', '2000']);
});

it('says that the server is back, and that it lets this person not in', async () => {
  expect(await followed([silent, silent, cut, shut, shut])).toEqual([
    ...['500', 'silent', '1000', 'answers', 'changed', '2000', 'shut', '30000', '30000'],
  ]);
});

it('says nothing more once it was ended', async () => {
  const happened: string[] = [];
  const lines: Heard[] = [];
  const end = followTeam(
    {
      follow: (heard, signal) =>
        new Promise((_, reject) => {
          lines.push(heard);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    },
    { changed: () => happened.push('changed'), state: (state) => happened.push(state) },
  );
  lines[0]?.(1);
  end();
  lines[0]?.(2);
  await new Promise((done) => setImmediate(done));
  expect([happened, lines.length]).toEqual([['changed'], 1]);
});
