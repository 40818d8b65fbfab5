/** Forms of secrets that are known by how they begin, with the length that those who give them out say. */
import { isPlaceholder, looksRandom, SHARE_OF_WORDS } from './looks-random';
import type { Found } from './secret';

/**
 * By kind, the beginnings (as parts of a pattern) and the fewest characters that follow. What follows is of letters,
 * digits, `_` and `-`, and was drawn.
 */
const BEGINNINGS: readonly (readonly [kind: string, beginning: string, fewest: number])[] = [
  ['GitHub token', 'gh[pousr]_|github_pat_', 30],
  ['GitLab token', 'gl(?:pat|dt|ptt|rt|cbt|oas|soat|ft|imt|agent|ffct|wt)-|GR1348941', 18],
  ['Bitbucket or Atlassian token', 'ATBB|ATATT3|ATCTT3', 20],
  ['Google key', 'AIza|GOCSPX-', 24],
  ['Slack token', 'xox[a-z]-|xoxe[.]xox[bp]-|xapp-|xwfp-', 18],
  ['Stripe key', '[sr]k_(?:live|test|prod)_|whsec_', 16],
  ['Square token', 'sq0[a-z]{3}-|EAAA', 20],
  ['Shopify token', 'shp[a-z]{2}_', 30],
  ['API key', 'sk-(?:[a-z0-9]{2,10}-){0,3}|[a-z]?sk_|pcsk_|sk_[a-z]{2,10}_', 20],
  ['Groq, xAI or Perplexity key', 'gsk_|xai-|pplx-|csk-|fw_|tvly-|fc-|pa-|nvapi-|jina_|BSA|together_', 24],
  ['Hugging Face token', 'hf_|api_org_', 26],
  ['Replicate token', 'r8_', 30],
  ['npm token', 'npm_', 30],
  ['PyPI token', 'pypi-', 50],
  ['package registry token', 'rubygems_|cio|oy2|CLOJARS_|dckr_[po]at_|AKCp|cmVmdGtu', 26],
  ['DigitalOcean token', 'do[opr]_v1_', 40],
  ['Heroku key', 'HRKU-', 28],
  ['Vault token', 'hv[sbr][.]|s[.]', 22],
  ['Databricks token', 'dapi', 32],
  ['Fly.io token', 'FlyV1 fm\\d_|fm[12]_|fo1_', 28],
  ['Grafana token', 'glc_|glsa_', 30],
  ['New Relic key', 'NR(?:AK|II|RA|SP|IQ|AA)-', 20],
  ['Sentry token', 'sntry[su]_', 30],
  ['Linear key', 'lin_(?:api|oauth)_', 28],
  ['Notion token', 'ntn_|secret_', 38],
  ['Figma token', 'fig[a-z]{1,2}_', 36],
  ['Pulumi token', 'pul-', 36],
  ['PlanetScale token', 'pscale_[a-z]+_', 28],
  ['Netlify token', 'nf[a-z]_', 30],
  ['hosting token', 'vc[a-z]_|napi_|rnd_|railway_|sb_secret_|sbp_|cf[a-z]{1,2}t_|scw_|koyeb_', 20],
  ['Tailscale key', 'tskey-(?:[a-z]+-)?', 18],
  ['Contentful token', 'CFPAT-', 36],
  ['Facebook token', 'EAA[A-Z]', 60],
  ['Airtable token', 'pat[A-Za-z0-9]{14}[.]', 50],
  ['Postman key', 'PMAK-', 40],
  ['Prefect key', 'pn[ub]_', 30],
  ['mail service key', 'xkeysib-|xsmtpsib-|key-|re_', 24],
  ['Mandrill key', 'md-', 20],
  ['Sonar token', 'sq[upa]_', 36],
  ['Sourcegraph token', 'sgp_|slk_', 36],
  ['Yandex key', 'AQVN|y0_|t1[.]', 34],
  ['Alibaba Cloud key', 'LTAI', 16],
  ['Tencent Cloud key', 'AKID', 28],
  [
    'payment service key',
    'sup_sk_|shippo_(?:live|test)_|EZ[AT]K|duffel_[a-z]+_|FLWSECK(?:_TEST)?-|test_|rzp_live_sk_',
    28,
  ],
  ['payment service key', 'live_', 24],
  ['Xata key', 'xau_', 30],
  ['Defined Networking key', 'dnkey-', 70],
  ['Intra 42 secret', 's-s4t2(?:ud|af)-', 60],
  ['Scalingo token', 'tk-us-', 40],
  ['SettleMint token', 'sm_(?:pat|aat|sat)_', 16],
  ['build service token', 'bk[a-z]{2}_|CCIPAT_|CCIPRJ_|chpt_|nxcloud_|travis_', 24],
  ['monitoring key', 'hc[a-z]{3}_|xa[ap]t-|phx_|phs_|lsv2_[a-z]{2}_|pdus_|uptime_|ddapi_|ddapp_|aio_|logz_', 24],
  ['Typeform token', 'tfp_', 30],
  ['Matrix token', 'sy[rt]_|mct_', 28],
  ['Dropbox token', 'sl[.](?:u[.])?', 60],
  ['Infracost key', 'ico-', 28],
  ['memory service key', 'm0-|brv_|hsk-|zep_|mem0_|z_1', 30],
  ['ReadMe key', 'rdme_', 40],
  ['Frame.io token', 'fio-u-', 40],
  ['Doppler token', 'dp[.](?:pt|st|ct|sa|scim|audit)[.](?:[a-z0-9_-]+[.])?', 36],
  ['Okta token', 'SSWS 00', 30],
  ['Okta or OAuth token', 'ya29[.]|1//0|AQ[.]Ab8', 24],
  ['age key', 'AGE-SECRET-KEY-(?:PQ-)?1', 50],
  ['Twilio key', 'SK(?=[0-9a-f]{32})', 32],
];

const BEGUN = new RegExp(
  `(?<![A-Za-z0-9_/+-])(?:${BEGINNINGS.map(([, beginning, fewest]) => `(${beginning})[A-Za-z0-9_-]{${fewest},}`).join('|')})`,
  'g',
);

/** Other forms, by kind. Where one has a group, that is what was drawn. */
const SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  [
    'session cookie',
    /(?<![\w.-])(?:JSESSIONID|PHPSESSID|ASPSESSIONID[A-Z]{8}|ASP[.]NET_SessionId|connect[.]sid|sessionid|_[a-z]{2,30}_session|laravel_session|wordpress_logged_in_\w{1,40})["']?[=:]\s?["']?((?=[A-Za-z%_.-]{0,60}\d)[A-Za-z0-9%._~+/-]{20,2000})/g,
  ],
  ['Wi-Fi password', /(?<![A-Za-z])WIFI:(?=[^\n]{0,100}?\bT:)[^\n]{0,100}?\bP:([^;\s]{8,63});/g],
  [
    'seed of one-time passwords',
    /(?<![A-Za-z])otpauth:\/\/[^\s"'`]{1,200}?[?&]secret=([A-Z2-7]{16,128})(?![A-Z2-7])/gi,
  ],
  ['Azure token', /(?<![A-Za-z])pat[:=]?\s(?:is\s)?["'`]?([a-z2-7]{52})(?![A-Za-z0-9])/gi],
  [
    'unseal key',
    /(?<![A-Za-z])unseal key\b[^\n]{0,20}?[:=]\s?["'`]?([A-Za-z0-9+/]{43}=|[0-9a-f]{64,66})(?![A-Za-z0-9+/=])/gi,
  ],
  ['Airtable key', /airtable\b[^\n]{0,30}?(?<![A-Za-z0-9])(key[A-Za-z0-9]{14})(?![A-Za-z0-9])/gi],
  [
    'Authress key',
    /(?<![A-Za-z0-9])(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}[.][A-Za-z0-9]{4,6}[.]acc[_-][A-Za-z0-9-]{10,32}[.][A-Za-z0-9+/_=-]{30,120}/g,
  ],
  ['Beamer token', /beamer\b[^\n]{0,30}?(?<![A-Za-z0-9])b_([a-z0-9=_-]{44})/gi],
  ['Harness token', /(?<![A-Za-z0-9.])[ps]at[.][A-Za-z0-9_-]{22}[.][0-9a-f]{24}[.][A-Za-z0-9_-]{20}/g],
  ['Octopus key', /(?<![A-Za-z0-9])API-[A-Z0-9]{26}(?![A-Za-z0-9])/g],
  ['Sidekiq credentials', /CONTRIBSYS__COM["']?\s?[=:]\s?["']?([0-9a-f]{8}:[0-9a-f]{8})(?![0-9a-f])/g],
  ['Sidekiq credentials', /(?<![0-9a-f])([0-9a-f]{8}:[0-9a-f]{8})\s[^\n]{0,30}?CONTRIBSYS__COM/g],
  ['Yandex key', /(?<![A-Za-z0-9_-])YC[A-Za-z0-9_-]{38}(?![A-Za-z0-9_-])/g],
  ['ClickHouse key', /(?<![A-Za-z0-9])4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])/g],
  ['AWS key', /(?<![A-Za-z0-9+/])ABSK[A-Za-z0-9+/_-]{60,}={0,2}/g],
  ['AWS key', /(?<![A-Za-z0-9.])amzn[.]mws[.]([0-9a-f]{8}-[0-9a-f-]{27})/g],
  ['webhook secret', /(?<![A-Za-z0-9_])whsec_[A-Za-z0-9+/]{32}(?![A-Za-z0-9+/])/g],
  ['Portainer token', /(?<![A-Za-z0-9_])ptr_[A-Za-z0-9+/]{40,}=/g],
  ['Backblaze key', /(?<![A-Za-z0-9+/])K00[A-Za-z0-9+/]{28}(?![A-Za-z0-9+/])/g],
  ['AWS access key', /(?<![A-Za-z0-9/+])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/g],
  ['JSON Web Token', /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}[.][A-Za-z0-9_-]{10,}[.][A-Za-z0-9_-]{16,}/g],
  [
    'encrypted JSON Web Token',
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}[.][A-Za-z0-9_-]*[.][A-Za-z0-9_-]{10,}[.][A-Za-z0-9_-]{10,}[.]/g,
  ],
  ['Fly.io token', /(?<![A-Za-z0-9_])fm[12]_[A-Za-z0-9+/=_-]{40,}/g],
  ['1Password token', /(?<![A-Za-z0-9_])ops_ey[A-Za-z0-9+/_-]{100,}/g],
  ['secret key of Django', /django-insecure-[A-Za-z0-9!@#$%^&*(_=+)-]{40,}/g],
  ['Mapbox token', /(?<![A-Za-z0-9])sk[.]ey[A-Za-z0-9_-]{20,}[.][A-Za-z0-9_-]{16,}/g],
  ['SendGrid key', /(?<![A-Za-z0-9])SG[.][A-Za-z0-9_-]{16,64}[.][A-Za-z0-9_-]{16,}/g],
  ['Slack webhook', /hooks[.]slack[.]com\/(?:services|workflows|triggers)\/(?:[A-Za-z0-9]+\/){1,3}([A-Za-z0-9]{16,})/g],
  ['Discord webhook', /discord(?:app)?[.]com\/api\/(?:v\d+\/)?webhooks\/\d{15,21}\/([A-Za-z0-9_-]{50,})/g],
  ['Teams webhook', /[./](?:outlook[.])?office[.]com\/webhook(?:b2)?\/[^\s/]{30,90}\/[A-Za-z]{4,30}\/([0-9a-f]{32})/g],
  ['Zapier webhook', /hooks[.]zapier[.]com\/hooks\/catch\/\d{4,12}\/([A-Za-z0-9]{5,})/g],
  ['IFTTT key', /maker[.]ifttt[.]com\/[^\s]{1,80}\/key\/([A-Za-z0-9_-]{16,})/g],
  ['Discord token', /(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{22,27}[.][A-Za-z0-9_-]{6}[.][A-Za-z0-9_-]{27,}/g],
  ['Telegram bot token', /(?:(?<![A-Za-z0-9:])|(?<=\/bot))\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g],
  ['Firebase key', /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{11,22}:APA91b[A-Za-z0-9_-]{100,}/g],
  ['Mailgun key', /(?<![A-Za-z0-9-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])/g],
  ['Mailchimp key', /(?<![A-Za-z0-9-])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9-])/g],
  ['Grafana token', /(?<![A-Za-z0-9_-])(?:glc_eyJ|eyJrIjoi)[A-Za-z0-9+/_-]{40,}/g],
  ['Azure storage key', /(?:AccountKey|SharedAccessKey|SharedSecretValue)=([A-Za-z0-9+/]{40,}={0,2})/gi],
  ['Azure signature', /[?&]sig=([A-Za-z0-9%+/_-]{40,})/g],
  ['Azure secret', /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,36}/g],
  [
    'Azure token',
    /(?<![A-Za-z0-9])(?:[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{20,30})(?![A-Za-z0-9])/g,
  ],
  ['Terraform token', /(?<![A-Za-z0-9])[A-Za-z0-9]{14}[.]atlasv1[.][A-Za-z0-9_-]{40,}/g],
  ['Dynatrace token', /(?<![A-Za-z0-9])dt0[a-z]\d\d[.][A-Z0-9]{24}[.][A-Z0-9]{40,}/g],
  ['Asana token', /(?<![A-Za-z0-9])[12]\/\d{13,17}(?:\/\d{13,17})?:[0-9a-f]{32}/g],
  ['HubSpot token', /(?<![A-Za-z0-9])pat-[a-z]{2}\d-[0-9a-f]{8}-[0-9a-f-]{27}/g],
  ['LaunchDarkly key', /(?<![A-Za-z0-9])(?:api|sdk)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g],
  ['Plaid token', /(?<![A-Za-z0-9])access-(?:sandbox|development|production)-[0-9a-f-]{36}/g],
  ['Langfuse key', /(?<![A-Za-z0-9])sk-lf-[0-9a-f-]{36}/g],
  ['Cloudflare key', /(?<![A-Za-z0-9])v1[.]0-[0-9a-f]{24}-[0-9a-f]{100,}/g],
  ['PayPal token', /access_token[$](?:production|sandbox)[$][0-9a-z]{16}[$][0-9a-f]{32}/g],
  // An address that Azure signed: 32 bytes in Base64.
  ['shared access signature', /(?<![A-Za-z0-9])sig=((?:[A-Za-z0-9/+]|%2[BF]){43}(?:=|%3D))/gi],
  [
    '1Password secret key',
    /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/g,
  ],
  ['Bitwarden token', /(?<![A-Za-z0-9])0[.][0-9a-f-]{36}[.][A-Za-z0-9]{30}:[A-Za-z0-9+/=]{20,}/g],
  ['New Relic key', /(?<![A-Za-z0-9])(?:eu01xx)?[0-9a-f]{30,36}(?:FFFF)?NRAL/g],
  ['ClickUp token', /(?<![A-Za-z0-9])pk_\d{6,10}_[A-Z0-9]{32}(?![A-Za-z0-9])/g],
  ['Webex token', /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{64}_[A-Z0-9]{2,6}_[0-9a-f]{8}-[0-9a-f-]{27}(?![A-Za-z0-9])/g],
  ['Adyen key', /(?<![A-Za-z0-9+/])AQE[a-z][A-Za-z0-9+/=.{}()<>%^*-]{90,}/g],
  ['Klaviyo key', /(?<![A-Za-z0-9])pk_[0-9a-f]{34}(?![A-Za-z0-9])/g],
  ['Intercom token', /(?<![A-Za-z0-9])dG9rO[A-Za-z0-9+/]{36,}={0,2}/g],
  ['Twitter token', /(?<![A-Za-z0-9])A{18,24}[A-Za-z0-9]{4,20}(?:%[0-9A-F]{2}|[A-Za-z0-9]){30,}/g],
  [
    'salt of WordPress',
    /define\(\s?["'](?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["'],\s{0,8}'([^'\n]{60,200})'/g,
  ],
  [
    'key of a blockchain node',
    /(?:[.]alchemy[.]com|alchemyapi[.]io|infura[.]io|quiknode[.]pro)\/(?:[a-z]{2,3}\/)?(?:v\d\/)?([A-Za-z0-9_-]{28,})/g,
  ],
  ['password hash', /(?<![^\s"'`])[\w.@-]{1,60}:\$(?:2[abxy]|apr1|[1567y]|argon2id?)\$([\w./$=,+-]{20,})/g],
  ['Bitcoin key', /(?<![A-Za-z0-9+/=_-])[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9+/=_-])/g],
  ['Bitcoin or Ethereum key', /(?<![A-Za-z0-9])xprv[1-9A-HJ-NP-Za-km-z]{100,}/g],
];

/** Looks for the known forms. What only stands for one (`AKIA…EXAMPLE`) is none. */
export function* knownForms(text: string): Generator<Found> {
  for (const match of text.matchAll(BEGUN)) {
    const i = match.slice(1).findIndex((beginning) => beginning !== undefined);
    const body = match[0].slice(match[i + 1]?.length ?? 0);
    if (
      looksRandom(
        body,
        /[-_.]$/.test(match[0].slice(0, match[0].length - body.length)) && !SHORT.test(match[0])
          ? SHARE_AFTER_BEGINNING
          : SHARE_OF_WORDS,
      )
    )
      yield { kind: BEGINNINGS[i]?.[0] ?? 'key', at: match.index, end: match.index + match[0].length };
  }
  for (const [kind, shape] of SHAPES) {
    for (const match of text.matchAll(shape)) {
      if (!isPlaceholder(match[1] ?? match[0]) && new Set(match[1] ?? match[0]).size >= FEWEST_DIFFERENT) {
        yield { kind, at: match.index, end: match.index + match[0].length };
      }
    }
  }
}

/** These begin names, too. */
const SHORT = /^(?:[a-z]{1,2}|key|fc|live|test|secret)[-_.]/;
/** Behind a beginning that nothing else has, a value may look more like words by chance. */
const SHARE_AFTER_BEGINNING = 0.55;
const FEWEST_DIFFERENT = 5;
