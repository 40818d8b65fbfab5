import { execFileSync } from 'node:child_process';

/** A certificate and its key in PEM form. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate of nobody's but its own, for a day, for these names of hosts. Node reads certificates, and makes none. */
export function ownCertificate(...names: readonly string[]): Certificate {
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
      ...['-subj', '/CN=engine', '-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`],
      ...['-keyout', '-', '-out', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const block = (what: string): string =>
    new RegExp(`-----BEGIN ${what}-----[^-]*-----END ${what}-----\\n`).exec(pem)?.[0] ?? '';
  return { cert: block('CERTIFICATE'), key: block('PRIVATE KEY') };
}
