/** Chooses the provider by rules that are data. */
import { invalidInput, wrongUsage } from '../base/errors';
import { shown } from './failures';
import { isJudgeName, type JudgeName, type KeyedName, NO_PROVIDER, PROVIDER_NAMES, PROVIDERS } from './providers';

/** A provider that people name. */
export interface Named {
  /** `--llm` */
  readonly flag: string | undefined;
  /** `provider` of the configuration file. */
  readonly file: string | undefined;
}

/** What the choice of a provider depends on. What has to be asked for is asked only by the rule that needs it. */
export interface Circumstances extends Named {
  /** SVC_MCP_HOST */
  readonly hostSocket: string | undefined;
  /** Sockets of MCP servers of this project whose client offers its model, newest first. */
  readonly announcedHosts: () => readonly string[];
  readonly hasKey: (provider: KeyedName) => boolean;
  readonly hostAnswers: (socket: string) => Promise<boolean>;
  readonly localAnswers: () => Promise<boolean>;
}

/** The outcome of one rule. */
export interface Step {
  readonly rule: string;
  readonly matched: boolean;
  readonly because: string;
}

export interface Selection {
  /** Undefined: no rule gives one, and people have to be asked. */
  readonly provider: JudgeName | undefined;
  /** Where the model of an MCP host is asked. */
  readonly socket: string | undefined;
  /** The rules that were looked at, in their order. */
  readonly steps: readonly Step[];
  /** SVC_MCP_HOST is set, and nobody answers. */
  readonly deadHost: boolean;
}

interface Outcome {
  readonly provider?: JudgeName;
  readonly socket?: string;
  readonly deadHost?: boolean;
  readonly because: string;
}

interface Rule {
  readonly rule: string;
  readonly judge: (circumstances: Circumstances) => Outcome | Promise<Outcome>;
}

const keyRule = (number: number, provider: KeyedName): Rule => {
  const { keyVariable = '', title } = PROVIDERS[provider];
  return {
    rule: `${number}. ${keyVariable} is set: ${title}`,
    judge: ({ hasKey }) => (hasKey(provider) ? { provider, because: 'it is set' } : { because: 'it is not set' }),
  };
};

/** The first that gives a provider wins: docs/behaviour.md, "Choice of a provider". */
const RULES: readonly Rule[] = [
  {
    rule: `0. --llm ${NO_PROVIDER} contacts nobody, and --llm ollama forces the local provider, inside a host as well`,
    judge: (circumstances) => {
      const named = namedProvider(circumstances);
      return named === NO_PROVIDER || named === 'ollama'
        ? { provider: named, because: `${whereNamed(circumstances)} names ${named}` }
        : { because: named === undefined ? 'nothing is named' : `${whereNamed(circumstances)} names another one` };
    },
  },
  {
    rule: '1. An MCP host is there: its model',
    judge: async (circumstances) => {
      const { hostSocket } = circumstances;
      if (hostSocket !== undefined && (await circumstances.hostAnswers(hostSocket))) {
        return { provider: 'mcp', socket: hostSocket, because: 'SVC_MCP_HOST is set, and its host answers' };
      }
      const deadHost = hostSocket !== undefined;
      const unset = deadHost ? 'nobody answers at the socket of SVC_MCP_HOST' : 'SVC_MCP_HOST is not set';
      const named = namedProvider(circumstances);
      // Who is not inside of the host and names a provider means that one.
      if (named !== undefined && named !== 'mcp') return { deadHost, because: unset };
      const offer = 'of a running svc-mcp of this project offers its model';
      for (const socket of circumstances.announcedHosts()) {
        if (await circumstances.hostAnswers(socket)) {
          return { provider: 'mcp', socket, deadHost, because: `the client ${offer}` };
        }
      }
      return { deadHost, because: `${unset}, and no client ${offer}` };
    },
  },
  {
    rule: '2. --llm, or the provider in .svc/config.yaml',
    judge: (circumstances) => {
      const provider = namedProvider(circumstances);
      return provider === undefined
        ? { because: 'neither names one' }
        : { provider, because: `${whereNamed(circumstances)} names ${provider}` };
    },
  },
  keyRule(3, 'anthropic'),
  keyRule(4, 'openai'),
  {
    rule: '5. A model server on this machine answers: Ollama',
    judge: async ({ localAnswers }) =>
      (await localAnswers()) ? { provider: 'ollama', because: 'it answers' } : { because: 'nothing answers' },
  },
];

/** @throws SvcError invalid_input for a name that is no provider's, before anybody is asked */
export async function selectProvider(circumstances: Circumstances): Promise<Selection> {
  const steps: Step[] = [];
  let deadHost = false;
  for (const { rule, judge } of RULES) {
    const outcome = await judge(circumstances);
    deadHost ||= outcome.deadHost === true;
    steps.push({ rule, matched: outcome.provider !== undefined, because: outcome.because });
    if (outcome.provider !== undefined) {
      return { provider: outcome.provider, socket: outcome.socket, steps, deadHost };
    }
  }
  steps.push({ rule: '6. Otherwise: you are asked to set one up', matched: true, because: 'no other rule matched' });
  return { provider: undefined, socket: undefined, steps, deadHost };
}

/** The flag counts before the file. @throws SvcError invalid_input for a name that is no provider's */
export function namedProvider({ flag, file }: Named): JudgeName | undefined {
  const name = flag ?? file;
  if (name === undefined || isJudgeName(name)) return name;
  const wrong = flag === undefined ? invalidInput : wrongUsage;
  throw wrong(
    `Provider not found: ${flag === undefined ? '.svc/config.yaml names' : '--llm names'} "${shown(name)}"`,
    `The providers are ${PROVIDER_NAMES.join(', ')}; ${NO_PROVIDER} binds only names and links, without a model`,
  );
}

function whereNamed({ flag }: Named): string {
  return flag === undefined ? 'the configuration file' : '--llm';
}
