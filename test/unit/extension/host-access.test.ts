import { expect, it } from 'vitest';
import { hostAccess } from '../../../src/extension/host-access';

const TOKEN = 'f'.repeat(64);
const FROM_TERMINAL = { folder: '/project', sections: 12 };

/** A user who gives these answers, one after the other. */
function user(...answers: boolean[]) {
  const asked: object[] = [];
  const admits = hostAccess(TOKEN, async (about) => {
    asked.push(about);
    return answers.shift() ?? false;
  });
  return { asked, admits };
}

it('lets in who shows the token, without asking the user', async () => {
  const { asked, admits } = user(false);
  expect(await admits({ ...FROM_TERMINAL, token: TOKEN })).toBe(true);
  expect(asked).toEqual([]);
});

it.each(['', 'f', 'f'.repeat(63), 'F'.repeat(64), `${'f'.repeat(64)} `, 'ü'.repeat(32)])(
  'lets nobody in with a wrong token, and does not bother the user: %j',
  async (token) => {
    const { asked, admits } = user(true);
    expect(await admits({ ...FROM_TERMINAL, token })).toBe(false);
    expect(asked).toEqual([]);
  },
);

it.each([true, false])('asks the user once about everybody without one, and keeps the answer %s', async (answer) => {
  const { asked, admits } = user(answer, !answer);
  const all = await Promise.all([
    admits(FROM_TERMINAL),
    admits({ folder: '/other', sections: 1 }),
    admits(FROM_TERMINAL),
  ]);
  expect([...all, await admits(FROM_TERMINAL)]).toEqual([answer, answer, answer, answer]);
  expect(asked).toEqual([FROM_TERMINAL]);
  expect(await admits({ ...FROM_TERMINAL, token: TOKEN })).toBe(true);
});

it('takes a question that cannot be shown for a no', async () => {
  const admits = hostAccess(TOKEN, async () => {
    throw new Error('the window closes');
  });
  expect(await admits(FROM_TERMINAL)).toBe(false);
});
