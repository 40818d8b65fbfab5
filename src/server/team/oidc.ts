/** People who come in with a token that their company's OpenID issuer has signed. */
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/v4';
import { wrongUsage } from '../base/errors';
import type { Log } from '../base/log';
import { cut, oneLine, quoted } from '../base/text';
import { ROLES } from './roles';
import type { Visitor } from './tokens';

export interface OidcOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Of a token: holds `{ "<project>": "<role>" }`. */
  readonly rolesClaim: string;
  /** Of a token: who somebody is, in a way that no two people share and nobody can choose. */
  readonly personClaim: string;
}

const DISCOVERY = z.object({ issuer: z.string(), jwks_uri: z.string() });
const ROLES_CLAIM = z.record(z.string(), z.enum(ROLES));
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/;
const TIMEOUT_MS = 5_000;
/** Two clocks are never quite the same. */
const CLOCK_TOLERANCE_S = 30;
/** Long enough for what issuers number people by: who is cut off could be taken for another. */
const MAX_PERSON = 200;
/** Anything signed without a public key could be made by whoever knows the issuer's answers. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export class Oidc {
  private keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;

  /** @throws SvcError invalid_input for an issuer that is asked without TLS */
  constructor(
    private readonly options: OidcOptions,
    private readonly log: Log,
  ) {
    requireTls(options.issuer);
  }

  /** @returns undefined for a token that is not the issuer's, not for us, too old or not signed */
  async visitor(token: string): Promise<Visitor | undefined> {
    const { issuer, audience } = this.options;
    try {
      this.keys ??= this.discover();
      const keys = await this.keys;
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE_S },
        requiredClaims: ['exp', 'sub'],
      });
      const person = payload[this.options.personClaim];
      return typeof person === 'string' && person !== '' ? this.visitorIn(person, payload) : undefined;
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout) {
        // The next one who comes asks again.
        this.keys = undefined;
        this.log(`the issuer ${issuer} cannot be asked: ${error instanceof Error ? error.message : ''}`);
      }
      return undefined;
    }
  }

  private async discover(): Promise<ReturnType<typeof createRemoteJWKSet>> {
    const { issuer } = this.options;
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    const found = DISCOVERY.parse(await answer.json());
    if (found.issuer !== issuer) throw new Error('it calls itself by another name');
    requireTls(found.jwks_uri);
    return createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: TIMEOUT_MS });
  }

  private visitorIn(person: string, payload: JWTPayload): Visitor {
    const roles = ROLES_CLAIM.safeParse(payload[this.options.rolesClaim]);
    return {
      person: cut(oneLine(person).replaceAll('·', '-'), MAX_PERSON),
      roleIn: (project) => (roles.success && Object.hasOwn(roles.data, project) ? roles.data[project] : undefined),
    };
  }
}

function requireTls(address: string): void {
  if (address.startsWith('https://') || LOCAL.test(address)) return;
  throw wrongUsage(
    `The issuer ${quoted(address)} would be asked without TLS`,
    'Give an address that begins with https://',
  );
}
