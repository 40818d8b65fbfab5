import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { connectTo, withTeam } from '../support/team-server';

/** An issuer on loopback, as a company runs one. */
async function withIssuer<Result>(work: (issuer: Issuer) => Promise<Result>): Promise<Result> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const server = createServer((request, response) => {
    const answer =
      request.url === '/.well-known/openid-configuration'
        ? { issuer: url(), jwks_uri: `${url()}/keys` }
        : { keys: [key] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sign: Issuer['sign'] = (claims, { audience = 'svc-memory', expires = '5m', by = privateKey } = {}) =>
    new SignJWT({ sub: 'anna', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(url())
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(by);
  try {
    return await work({ url: url(), sign });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

interface Issuer {
  readonly url: string;
  readonly sign: (
    claims: Record<string, unknown>,
    options?: {
      audience?: string;
      expires?: string | number;
      by?: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
    },
  ) => Promise<string>;
}

it('takes signed tokens of an issuer, with the roles that they name, and no others', () =>
  withIssuer((issuer) =>
    withTeam(async (team) => {
      const server = await team.start('--oidc-issuer', issuer.url, '--oidc-audience', 'svc-memory');
      const roles = { svc_memory_roles: { shop: 'writer' } };
      const anna = await connectTo(server, await issuer.sign(roles));
      const { node_id } = await anna.value<{ node_id: string }>('memory_store', {
        content: 'By a signed token',
        kind: 'fact',
      });
      expect(await anna.text('history', { id: node_id })).toContain('anna · test client');
      const status = async (token: string) =>
        (
          await fetch(`${server.address}/shop/mcp`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
            body: '{}',
          })
        ).status;
      const other = await generateKeyPair('ES256');
      expect(await status(await issuer.sign({}))).toBe(403);
      expect(await status(await issuer.sign({ svc_memory_roles: { shop: 'king' } }))).toBe(403);
      expect(await status(await issuer.sign(roles, { audience: 'another service' }))).toBe(401);
      expect(await status(await issuer.sign(roles, { expires: Math.floor(Date.now() / 1_000) - 120 }))).toBe(401);
      expect(await status(await issuer.sign(roles, { by: other.privateKey }))).toBe(401);
      const unsigned = (await issuer.sign(roles)).split('.')[1] ?? '';
      expect(await status(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${unsigned}.`)).toBe(401);
      expect(await status(await team.token('bob', 'shop=reader'))).toBe(400);
    }),
  ));
