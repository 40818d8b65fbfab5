/** Who may come in: bearer tokens that the operator of the server hands out. Only their hashes are kept. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/v4';
import { DAY_MS, timestamp } from '../base/clock';
import { notFound, unavailable } from '../base/errors';
import { replaceFile } from '../base/replace-file';
import { quoted, shownPath } from '../base/text';
import { ROLES, type Role } from './roles';

/** Somebody who came in, and what she may do. */
export interface Visitor {
  readonly person: string;
  readonly roleIn: (project: string) => Role | undefined;
}

const TOKEN = z.strictObject({
  id: z.string(),
  /** SHA-256 of the token, in hexadecimal digits. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  person: z.string(),
  roles: z.record(z.string(), z.enum(ROLES)),
  made: z.string(),
  expires: z.string(),
});
const FILE = z.strictObject({ tokens: z.array(TOKEN) });

export type KeptToken = z.infer<typeof TOKEN>;

/** Programs that look for leaked keys know them by it, ours among them. */
const PREFIX = 'svcm_';
const SECRET_BYTES = 32;
const PRIVATE_FILE = 0o600;

/** Whether a token is one of ours; others are an issuer's. */
export function isOurs(token: string): boolean {
  return token.startsWith(PREFIX);
}

export interface NewToken {
  readonly person: string;
  readonly roles: Readonly<Record<string, Role>>;
  readonly days: number;
}

/** The tokens of a server, in a file that is read again whenever it changed: a token that is taken back is of no use at once. */
export class Tokens {
  private read: { readonly mark: string; readonly tokens: readonly KeptToken[] } | undefined;

  constructor(private readonly file: string) {}

  /** @throws SvcError unavailable for a file that cannot be read */
  list(): readonly KeptToken[] {
    const state = statSync(this.file, { throwIfNoEntry: false });
    if (!state) return [];
    const { mtimeMs, size, ino } = state;
    const mark = `${mtimeMs} ${size} ${ino}`;
    if (this.read?.mark !== mark) this.read = { mark, tokens: this.parse() };
    return this.read.tokens;
  }

  /** @returns the token itself, which is kept nowhere */
  add({ person, roles, days }: NewToken, now: number): { readonly token: string; readonly kept: KeptToken } {
    const token = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const kept: KeptToken = {
      ...{ id: randomBytes(4).toString('hex'), hash: hashOf(token), person, roles: { ...roles } },
      ...{ made: timestamp(now), expires: timestamp(now + days * DAY_MS) },
    };
    this.write([...this.list(), kept]);
    return { token, kept };
  }

  /** @throws SvcError not_found */
  revoke(id: string): KeptToken {
    const tokens = this.list();
    const found = tokens.find((token) => token.id === id);
    if (!found) throw notFound(`There is no token ${quoted(id)}`, 'See the ids with --list');
    this.write(tokens.filter((token) => token !== found));
    return found;
  }

  /** @returns undefined for a token that was never handed out, is taken back or is too old */
  find(token: string, now: number): Visitor | undefined {
    const hash = Buffer.from(hashOf(token), 'hex');
    const found = this.list().find((kept) => timingSafeEqual(Buffer.from(kept.hash, 'hex'), hash));
    if (!found || found.expires <= timestamp(now)) return undefined;
    const { person, roles } = found;
    return { person, roleIn: (project) => (Object.hasOwn(roles, project) ? roles[project] : undefined) };
  }

  private parse(): readonly KeptToken[] {
    try {
      return FILE.parse(JSON.parse(readFileSync(this.file, 'utf8'))).tokens;
    } catch {
      throw unavailable(
        `${shownPath(this.file)} is not as "svc-memory admin token" writes it`,
        'Put back a copy of it, or move it away and hand out new tokens',
      );
    }
  }

  private write(tokens: readonly KeptToken[]): void {
    replaceFile(dirname(this.file), this.file, `${JSON.stringify({ tokens }, undefined, 2)}\n`, PRIVATE_FILE);
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
