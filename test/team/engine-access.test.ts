import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { HAS_ENGINE } from '../../scripts/engine-program.mjs';
import { type Certificate, ownCertificate } from '../support/certificate';
import { withEngine } from '../support/engine';
import { removeFolder } from '../support/remove-folder';
import { connectTo, withTeam } from '../support/team-server';

/** Of a name and a password. */
const ADMIN_KEY = Buffer.from('operator:of the engine').toString('base64');

const FACT = { content: 'The cache of the servers is cold', kind: 'fact' };

function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  return mkdtemp(join(tmpdir(), 'svc-access-')).then((folder) => work(folder).finally(() => removeFolder(folder)));
}

async function textsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(names.map((name) => readFile(join(folder, name), 'latin1').catch(() => '')));
}

/** Speaks TLS in front of a server that does not. @returns its port, and what ends it */
async function tlsBefore(address: string, { cert, key }: Certificate) {
  const server = createServer({ cert, key }, (near) => {
    const far = dial(Number(new URL(address).port), '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => {}).on('close', () => [near, far].forEach(end));
    near.pipe(far).pipe(near);
  });
  const end = (socket: { destroy(): void }): void => socket.destroy();
  server.on('tlsClientError', () => {});
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as { port: number }).port, close: () => void server.close() };
}

/** What an engine takes that was started with the public key. @param lifetimeS in seconds; less than 0: it is over */
function jwt(key: KeyObject, lifetimeS: number): Promise<string> {
  return new SignJWT({ a: 'rw' })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setExpirationTime(new Date(Date.now() + lifetimeS * 1_000))
    .sign(key);
}

describe.runIf(HAS_ENGINE)('an engine that others could reach', () => {
  it('is asked over TLS with a token of the environment, which stands in no file, log or message', () =>
    withFolder(async (folder) => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const keyFile = join(folder, 'key.pem');
      await writeFile(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
      const certificate = ownCertificate('localhost');
      const trusted = join(folder, 'cert.pem');
      await writeFile(trusted, certificate.cert);
      await withEngine(
        async (engine) => {
          const [data, admin] = [
            await tlsBefore(engine.address, certificate),
            await tlsBefore(engine.admin, certificate),
          ];
          const token = await jwt(privateKey, 600);
          const env = {
            SVC_MEMORY_DB: `libsql://localhost:${data.port}`,
            SVC_MEMORY_DB_ADMIN: `https://localhost:${admin.port}`,
            SVC_MEMORY_DB_TOKEN: token,
            SVC_MEMORY_DB_ADMIN_KEY: ADMIN_KEY,
            NODE_EXTRA_CA_CERTS: trusted,
          };
          await withTeam(async (team) => {
            const server = await team.start();
            const anna = await connectTo(server, await team.token('anna', 'shop=writer'));
            await anna.value('memory_store', FACT);
            expect(await anna.text('memory_recall', { query: 'servers cache' })).toContain(FACT.content);
            const served = (other: Record<string, string>) =>
              team.run(['serve', 'team', '--listen', '127.0.0.1:0'], { env: { ...env, ...other } });
            const others = generateKeyPairSync('ed25519').privateKey;
            for (const wrong of ['', await jwt(privateKey, -600), await jwt(others, 600)]) {
              const refused = await served({ SVC_MEMORY_DB_TOKEN: wrong });
              expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('does not let us in') });
              if (wrong !== '') expect(refused.err).not.toContain(wrong);
            }
            // The same by another name, and without the certificate of its issuer.
            const strange = await served({ SVC_MEMORY_DB: `https://localhost:${data.port}`, NODE_EXTRA_CA_CERTS: '' });
            expect(strange.err).toContain(
              `The engine at https://localhost:${data.port} cannot be reached over TLS (DEPTH_ZERO_SELF_SIGNED_CERT)`,
            );
            const locked = await team.run(['admin', 'add-project', 'team', 'more'], {
              env: { ...env, SVC_MEMORY_DB_ADMIN_KEY: 'd3Jvbmc=' },
            });
            expect(locked).toMatchObject({ status: 1, err: expect.stringContaining('SVC_MEMORY_DB_ADMIN_KEY') });
            for (const text of [server.log(), ...(await textsIn(team.path('team')))]) {
              expect(text).not.toContain(token);
              expect(text).not.toContain(ADMIN_KEY);
            }
          }, env);
          data.close();
          admin.close();
        },
        { args: ['--auth-jwt-key-file', keyFile, '--admin-auth-key', ADMIN_KEY] },
      );
    }));
});
