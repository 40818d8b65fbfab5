/**
 * Texts with a secret in them, by the name of its form. Each value is drawn when the tests run, so that no secret stands
 * in this file, and none that looks like one.
 */
import { seededRandom } from './random';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const MIXED = UPPER + LOWER + DIGITS;
const HEX = `${DIGITS}abcdef`;
const BASE64 = `${MIXED}+/`;
const BASE64URL = `${MIXED}_-`;

export interface Drawing {
  /** Letters and digits. */
  readonly mixed: (length: number) => string;
  readonly hex: (length: number) => string;
  readonly upper: (length: number) => string;
  readonly digits: (length: number) => string;
  readonly base64: (length: number) => string;
  readonly base64url: (length: number) => string;
  readonly lower: (length: number) => string;
  readonly uuid: () => string;
}

export function drawing(seed: number): Drawing {
  const random = seededRandom(seed);
  const from = (alphabet: string) => (length: number) =>
    Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('');
  const hex = from(HEX);
  return {
    hex,
    mixed: from(MIXED),
    upper: from(UPPER + DIGITS),
    digits: from(DIGITS),
    base64: from(BASE64),
    base64url: from(BASE64URL),
    lower: from(LOWER + DIGITS),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}

const dashes = '-'.repeat(5);
const pem = (what: string, body: string, newline = '\n'): string =>
  [`${dashes}BEGIN ${what}${dashes}`, ...(body.match(/.{1,64}/g) ?? []), `${dashes}END ${what}${dashes}`].join(newline);
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function plantedSecrets(seed: number): Readonly<Record<string, string>> {
  const { mixed, hex, upper, digits, base64, base64url, lower, uuid } = drawing(seed);
  const password = `${mixed(5)}7${mixed(6)}`;
  return {
    'AWS access key': `The deploy user has AKIA${upper(16)} and may read the bucket`,
    'AWS secret key': `aws_secret_access_key = ${base64(40)}`,
    'AWS session token': `export AWS_SESSION_TOKEN=${base64(120)}`,
    'GitHub classic': `Use ghp_${mixed(36)} for the release`,
    'GitHub fine-grained': `token: github_pat_${mixed(22)}_${mixed(59)}`,
    'GitHub app': `The workflow pushes with ghs_${mixed(36)}`,
    'GitLab personal': `GITLAB_TOKEN=glpat-${base64url(20)}`,
    'GitLab runner': `The runner registers with glrt-${base64url(20)}`,
    'Slack bot': `Slack: xoxb-${digits(12)}-${digits(13)}-${mixed(24)}`,
    'Slack webhook': `Alerts go to https://hooks.slack.com/services/T${upper(8)}/B${upper(10)}/${mixed(24)}`,
    'Slack app': `xapp-1-A${upper(10)}-${digits(13)}-${hex(64)}`,
    'Stripe secret': `Billing uses sk_live_${mixed(24)}`,
    'Stripe restricted': `rk_test_${mixed(99)}`,
    'Stripe webhook': `The signing secret is whsec_${mixed(32)}`,
    'Google API': `Maps: AIza${base64url(35)}`,
    'Google OAuth': `client_secret: GOCSPX-${base64url(28)}`,
    'OpenAI project': `OPENAI_API_KEY=sk-proj-${mixed(74)}T3Blbk${'FJ'}${mixed(74)}`,
    'OpenAI old': `sk-${mixed(20)}T3Blbk${'FJ'}${mixed(20)}`,
    Anthropic: `ANTHROPIC_API_KEY=sk-ant-api03-${base64url(93)}AA`,
    npm: `//registry.example/:_authToken=npm_${mixed(36)}`,
    PyPI: `password = pypi-AgEIcHlwaS5vcmc${base64url(80)}`,
    SendGrid: `SG.${base64url(22)}.${base64url(43)}`,
    'Twilio key': `Twilio: SK${hex(32)}`,
    'Twilio token': `TWILIO_AUTH_TOKEN=${hex(32)}`,
    Mailgun: `mailgun key-${lower(32)}`,
    DigitalOcean: `doctl auth init -t dop_v1_${hex(64)}`,
    'Heroku key': `HEROKU_API_KEY=${uuid()}`,
    'Heroku new': `HRKU-${base64url(60)}`,
    'Azure storage': `DefaultEndpointsProtocol=https;AccountName=logs;AccountKey=${base64(86)}==;EndpointSuffix=core.windows.net`,
    'Azure client secret': `AZURE_CLIENT_SECRET=${mixed(3)}8Q~${mixed(34)}`,
    'Azure signature': `https://logs.blob.core.windows.net/a?sv=2022-11-02&sig=${mixed(43)}%3D`,
    'GCP service account': JSON.stringify({
      type: 'service_account',
      private_key_id: hex(40),
      private_key: pem('PRIVATE KEY', base64(1600)),
    }),
    'RSA key': `The key of the gateway:\n${pem('RSA PRIVATE KEY', base64(800))}`,
    'EC key': pem('EC PRIVATE KEY', base64(160)),
    'OpenSSH key': pem('OPENSSH PRIVATE KEY', base64(400)),
    'PGP key': pem('PGP PRIVATE KEY BLOCK', `\n${base64(400)}`),
    'encrypted key': `${dashes}BEGIN RSA PRIVATE KEY${dashes}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32)}\n\n${base64(64)}`,
    JWT: `curl -H "Authorization: Bearer ${segment({ alg: 'HS256' })}.${segment({ sub: hex(8), iat: 1 })}.${base64url(43)}"`,
    PostgreSQL: `DATABASE_URL=postgres://app:${password}@db.internal:5432/app`,
    MySQL: `mysql://admin:${password}@10.0.0.5/shop`,
    MongoDB: `mongodb+srv://svc:${password}@cluster0.abcde.mongodb.net`,
    Redis: `redis://:${password}@cache.internal:6379`,
    AMQP: `amqp://worker:${password}@mq.internal/%2f`,
    'Git over HTTPS': `git clone https://build:${password}@git.acme.dev/app.git`,
    'Bearer header': `Authorization: Bearer ${base64url(40)}`,
    'Basic header': `Authorization: Basic ${encoded(`deploy:${password}`)}`,
    'password=': `Server=db;User Id=sa;Password=${password};`,
    'api_key: ""': `api_key: "${hex(32)}"`,
    '.env': `# production\nPORT=80\nSESSION_SECRET=${mixed(32)}\n`,
    kubeconfig: `users:\n- name: admin\n  user:\n    client-key-data: ${encoded(pem('RSA PRIVATE KEY', base64(300)))}`,
    'kubeconfig token': `  user:\n    token: ${base64url(64)}`,
    'Docker auth': `{"auths":{"registry.acme.dev":{"auth":"${encoded(`ci:${password}`)}"}}}`,
    Telegram: `The bot is ${digits(10)}:AA${base64url(33)}`,
    Discord: `DISCORD_TOKEN=M${base64url(25)}.${base64url(6)}.${base64url(38)}`,
    Datadog: `DD_API_KEY=${hex(32)}`,
    'New Relic': `NRAK-${upper(27)}`,
    Shopify: `shpat_${hex(32)}`,
    Square: `sq0atp-${base64url(22)}`,
    Algolia: `algolia admin api key: ${hex(32)}`,
    Cloudflare: `CLOUDFLARE_API_TOKEN=${base64url(40)}`,
    Vault: `VAULT_TOKEN=hvs.${base64url(90)}`,
    Databricks: `dapi${hex(32)}`,
    'Hugging Face': `hf_${mixed(34)}`,
    age: `AGE-SECRET-KEY-1${upper(58)}`,
    'SSH passphrase': `ssh_key_passphrase: "${mixed(9)}4${mixed(5)}"`,
    'in words': `The password is hunter${digits(2)}hunter${digits(2)}`,
    'a flag': `deploy --env prod --token=${mixed(32)}`,
    'a table': `| name | value |\n| --- | --- |\n| API key | ${mixed(32)} |`,
    'a sign within a password': `password: "Blu3$ky${mixed(8)}"`,
    'another sign': `[database]\npassword = "Zebra77*${mixed(6)}1"`,
    'a third sign': `export DB_PASS='t4ngo%Q${mixed(6)}2'`,
    'an argument of sqlcmd': `sqlcmd -S sql.acme.io -U sa -P '${mixed(9)}!7${mixed(3)}'`,
    'a quoted argument of curl': `curl -u ops:'${mixed(9)}7${mixed(3)}' https://ci.acme.io`,
    'an address of Oracle': `jdbc:oracle:thin:app/${mixed(9)}7${mixed(3)}@//db.acme.io:1521/ORCL`,
    'German for a password': `Das Kennwort für den Testserver lautet xT9!m${mixed(5)}1.`,
    'German for a key': `Der API-Schlüssel lautet ${mixed(32)}`,
    'French for a password': `Le mot de passe est Wr3nch!${mixed(5)}5`,
    'the key of a network': `The wifi key is kR7#pq${mixed(6)}1`,
    'the key of a service': `mistral key: ${mixed(32)}`,
    'user and pass': `Log in with user admin, pass Tq7!${mixed(7)}1`,
    'recovery codes': `2FA backup codes: ${digits(8)} ${digits(8)} ${digits(8)}`,
    'symmetric key': `{"kty":"oct","k":"${base64url(43)}"}`,
    'Teams, the older address': `https://outlook.office.com/webhook/${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`,
    'Grafana, the older form': `eyJrIjoi${base64url(60)}`,
    'a call': `client.setApiKey("${mixed(32)}")`,
  };
}
