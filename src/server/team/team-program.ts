/** What the command line asks of a team's server. */
import type { OidcOptions } from './oidc';
import type { RunningTeam } from './serve-team';
import type { KeptToken, NewToken } from './tokens';

export interface ServeRequest {
  readonly folder: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly operate: { readonly host: string; readonly port: number } | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly behindProxy: boolean;
  /** A command that starts the engine again. */
  readonly restartEngine: string | undefined;
  /** Whose signed tokens are taken beside our own. */
  readonly oidc: OidcOptions | undefined;
}

export interface TeamProgram {
  /** Resolves when the process is told to end; told a second time, it ends at once. */
  readonly ended: Promise<void>;
  serve(request: ServeRequest): Promise<RunningTeam>;
  addProject(folder: string, name: string): Promise<void>;
  migrate(folder: string): Promise<readonly string[]>;
  erase(folder: string, project: string): Promise<void>;
  addToken(folder: string, token: NewToken): { readonly token: string; readonly kept: KeptToken };
  listTokens(folder: string): readonly KeptToken[];
  revokeToken(folder: string, id: string): KeptToken;
}
