/** `svc-memory serve`. */
import { Command } from 'commander';
import { wrongUsage } from '../../base/errors';
import { quoted } from '../../base/text';
import type { OidcOptions } from '../../team/oidc';
import type { Listening } from '../../team/serve-team';
import type { TeamProgram } from '../../team/team-program';
import type { Cli, ExitStatus } from '../cli';

const ABOUT = `Serve the projects of a folder to many people: the same tools, over MCP's Streamable HTTP. Each project has one database and the address http://<host>:<port>/<project>/mcp; who may do what is said by the tokens of "svc-memory admin token". Ends on Ctrl-C and SIGTERM, after those at work are answered.

Databases are files in that folder, or in the libSQL server that SVC_MEMORY_DB names (docs/team.md).

Standard error gets a line of JSON for each request, without tokens and contents. <folder>/audit.jsonl says who changed what.`;

interface ServeOptions {
  readonly listen: string;
  readonly operate?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: true;
  readonly restartEngine?: string;
  readonly oidcIssuer?: string;
  readonly oidcAudience?: string;
  readonly oidcRoles: string;
  readonly oidcPerson: string;
}

/** @param team undefined in the command line that only lists it: main/svc-memory runs another one */
export function serveCommand(cli: Cli, finish: (status: ExitStatus) => void, team?: TeamProgram): Command {
  return new Command('serve')
    .summary('Serve projects to many people over HTTP')
    .description(ABOUT)
    .argument('<folder>', 'made by "svc-memory admin add-project"')
    .option('--listen <host:port>', 'where people come in', '127.0.0.1:7420')
    .option('--operate <host:port>', 'where /health, /ready and /metrics (OpenMetrics) are answered; keep it private')
    .option('--tls-cert <file>', 'certificate, in PEM form')
    .option('--tls-key <file>', 'its key')
    .option('--behind-proxy', 'a proxy in front of it speaks TLS')
    .option('--restart-engine <command>', 'run when the engine takes no writes, at most once a minute')
    .option('--oidc-issuer <url>', 'take tokens that this OpenID issuer has signed, too')
    .option('--oidc-audience <name>', 'what they have to be made for')
    .option('--oidc-roles <claim>', 'the claim that holds { "<project>": "<role>" }', 'svc_memory_roles')
    .option('--oidc-person <claim>', 'the claim that says who it is, and that nobody can choose', 'sub')
    .addHelpText(
      'after',
      '\nExamples:\n  svc-memory serve team\n  svc-memory serve team --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key k.pem\n',
    )
    .action(async (folder: string, options: ServeOptions) => {
      const { listen, operate, tlsCert, tlsKey, behindProxy } = options;
      if ((tlsCert === undefined) !== (tlsKey === undefined)) {
        throw wrongUsage('A certificate and its key belong together', 'Give both --tls-cert and --tls-key');
      }
      const program = requireTeam(team);
      const running = await program.serve({
        folder,
        listen: addressIn('--listen', listen),
        operate: operate === undefined ? undefined : addressIn('--operate', operate),
        tls: tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey },
        behindProxy: behindProxy === true,
        restartEngine: options.restartEngine,
        oidc: issuerIn(options),
      });
      const { host, port } = running.listen;
      const shown = host.includes(':') ? `[${host}]` : host;
      await cli.output.text(
        `Serving ${folder} at ${tlsCert === undefined ? 'http' : 'https'}://${shown}:${port}/<project>/mcp`,
      );
      if (running.operate) {
        await cli.output.text(`Health and metrics at http://${running.operate.host}:${running.operate.port}`);
      }
      await program.ended;
      await running.close();
      finish(0);
    });
}

/** @throws SvcError invalid_input */
function issuerIn({ oidcIssuer, oidcAudience, oidcRoles, oidcPerson }: ServeOptions): OidcOptions | undefined {
  if ((oidcIssuer === undefined) !== (oidcAudience === undefined)) {
    throw wrongUsage(
      'An issuer and an audience belong together, or tokens for other services would be taken',
      'Give both --oidc-issuer and --oidc-audience',
    );
  }
  if (oidcIssuer === undefined || oidcAudience === undefined) return undefined;
  return { issuer: oidcIssuer, audience: oidcAudience, rolesClaim: oidcRoles, personClaim: oidcPerson };
}

/** @throws SvcError where the command was not the first word */
export function requireTeam(team: TeamProgram | undefined): TeamProgram {
  if (team) return team;
  throw wrongUsage('Options stand before the command', 'Type "svc-memory serve" or "svc-memory admin" first');
}

/** @throws SvcError invalid_input */
function addressIn(option: string, text: string): Listening {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:]+)\]|([^:\s]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535) return { host, port };
  throw wrongUsage(`${option} is ${quoted(text)}`, 'Give a host and a port, such as 127.0.0.1:7420');
}
