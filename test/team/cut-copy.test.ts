import { readFile, utimes } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { copyOf, DECISION, joined, OF_THE_COPY, stop } from '../support/kept-copies';
import { answering, recall, withStranger } from '../support/team-member';
import { connectTo, withTeam } from '../support/team-server';

describe("a copy of a team's memory", () => {
  it.each<[string, (response: ServerResponse, bytes: Buffer, half: Buffer) => void]>([
    [
      'the line is cut',
      (response, bytes, half) =>
        void response
          .writeHead(200, { etag: '"bb"', 'content-length': bytes.length })
          .write(half, () => response.destroy()),
    ],
    // As a proxy does that does not know how much is to come.
    ['less comes than there is', (response, _, half) => void response.writeHead(200, { etag: '"bb"' }).end(half)],
  ])('stays where another one does not come whole: %s', (_, answer) =>
    withTeam(async (team) => {
      const { server, env } = await joined(team);
      const first = await copyOf(team);
      const before = await readFile(first);
      const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
      const stored = { kind: 'fact', content: `Retries wait a second longer each time. ${'And so on. '.repeat(10)}` };
      for (let n = 0; n < 30; n++) await bob.value('memory_store', { ...stored, content: `${n}: ${stored.content}` });
      const authorization = `Bearer ${env.SVC_MEMORY_TOKEN}`;
      const given = await fetch(`${server.address}/shop/snapshot`, { headers: { authorization } });
      const bytes = Buffer.from(await given.arrayBuffer());
      await stop(server);
      let asked = 0;
      let isCut = true;
      const give: RequestListener = (_request, response) => {
        asked++;
        if (isCut) answer(response, bytes, bytes.subarray(0, bytes.length / 2));
        else response.writeHead(200, { etag: '"bb"' }).end(bytes);
      };
      const lookAgain = async (): Promise<void> => {
        const old = new Date(Date.now() - 600_000);
        await utimes(first, old, old);
        expect(await team.run(['login'], { env })).toMatchObject({ status: 0, err: '' });
      };
      await withStranger(
        answering(give),
        async () => {
          await lookAgain();
          expect(asked).toBe(1);
          expect(await copyOf(team)).toBe(first);
          expect((await readFile(first)).equals(before)).toBe(true);
          const { items, notice } = await recall(team, env, 'retries');
          expect(items.map(({ content }) => content)).toEqual([DECISION.content]);
          expect(notice).toMatch(OF_THE_COPY);
          isCut = false;
          await lookAgain();
          expect((await readFile(await copyOf(team))).equals(bytes)).toBe(true);
        },
        Number(new URL(server.address).port),
      );
    }),
  );
});
