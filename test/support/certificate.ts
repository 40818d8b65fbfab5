import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its key in PEM form. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** A certificate of nobody's but its own, for these names of hosts. Node reads certificates, and makes none. */
export function ownCertificate(...names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    ...{ namedCurve: 'P-256', publicKeyEncoding: { type: 'spki', format: 'der' } },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const signed = sequence(objectId(ECDSA_WITH_SHA256));
  const name = sequence(der(SET, sequence(objectId(COMMON_NAME), der(UTF8, Buffer.from('engine')))));
  const now = Date.now();
  const hosts = names.map((host) => der(DNS_NAME, Buffer.from(host)));
  const content = sequence(
    der(VERSION, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.of(1)),
    signed,
    name,
    sequence(time(now - YEAR_MS), time(now + YEAR_MS)),
    name,
    publicKey,
    der(EXTENSIONS, sequence(sequence(objectId(OTHER_NAMES), der(OCTETS, sequence(...hosts))))),
  );
  const signature = sign('sha256', content, createPrivateKey(privateKey));
  const whole = sequence(content, signed, der(BITS, Buffer.of(0), signature));
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return { cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`, key: privateKey };
}

const INTEGER = 0x02;
const BITS = 0x03;
const OCTETS = 0x04;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const DNS_NAME = 0x82;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const OTHER_NAMES = '551d11';

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(SEQUENCE, ...parts);
}

function objectId(digits: string): Buffer {
  return der(OBJECT_ID, Buffer.from(digits, 'hex'));
}

/** `YYMMDDhhmmssZ` */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '');
  return der(UTC_TIME, Buffer.from(`${digits.slice(2, 14)}Z`));
}
