import { invalidInput } from '../base/errors';
import { shown } from './failures';
import { isProviderName, NO_PROVIDER, PROVIDER_NAMES, PROVIDERS, type ProviderName } from './providers';

/** What the choice of a provider depends on. What has to be asked for is asked only by the rule that needs it. */
export interface Facts {
  /** `--llm` */
  readonly flag: string | undefined;
  /** `provider` of the configuration file. */
  readonly file: string | undefined;
  /** SVC_MCP_HOST */
  readonly hostSocket: string | undefined;
  /** Sockets of MCP servers of this project whose client offers its model, newest first. */
  readonly announcedHosts: () => readonly string[];
  readonly hasKey: (provider: ProviderName) => boolean;
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
  readonly provider: ProviderName | typeof NO_PROVIDER | undefined;
  /** Where the model of an MCP host is asked. */
  readonly socket: string | undefined;
  /** The rules that were looked at, in their order. */
  readonly steps: readonly Step[];
  /** The host's socket is there and nobody answers. */
  readonly deadSocket: string | undefined;
}

interface Outcome {
  readonly provider?: ProviderName | typeof NO_PROVIDER | undefined;
  readonly socket?: string;
  readonly deadSocket?: string;
  readonly because: string;
}

interface Rule {
  readonly rule: string;
  readonly judge: (facts: Facts) => Outcome | Promise<Outcome>;
}

const keyRule = (number: number, provider: ProviderName): Rule => {
  const { keyVariable = '', title } = PROVIDERS[provider];
  return {
    rule: `${number}. ${keyVariable} is set: ${title}`,
    judge: ({ hasKey }) => (hasKey(provider) ? { provider, because: 'it is set' } : { because: 'it is not set' }),
  };
};

/** The first that gives a provider wins (service.md, "Provider selection"; decisions.md for the exceptions). */
const RULES: readonly Rule[] = [
  {
    rule: `0. --llm ${NO_PROVIDER} contacts nobody, and --llm ollama forces the local provider, inside a host as well`,
    judge: (facts) => {
      const named = namedProvider(facts);
      return named === NO_PROVIDER || named === 'ollama'
        ? { provider: named, because: `${whereNamed(facts)} names ${named}` }
        : { because: named === undefined ? 'nothing is named' : `${whereNamed(facts)} names another one` };
    },
  },
  {
    rule: '1. An MCP host is there: its model',
    judge: async (facts) => {
      const { hostSocket } = facts;
      if (hostSocket !== undefined) {
        if (await facts.hostAnswers(hostSocket)) {
          return { provider: 'mcp', socket: hostSocket, because: 'SVC_MCP_HOST is set, and its host answers' };
        }
      }
      const dead = hostSocket === undefined ? {} : { deadSocket: hostSocket };
      const unset =
        hostSocket === undefined ? 'SVC_MCP_HOST is not set' : 'nobody answers at the socket of SVC_MCP_HOST';
      const named = namedProvider(facts);
      // Who is not inside of the host and names a provider means that one.
      if (named !== undefined && named !== 'mcp') return { ...dead, because: unset };
      for (const socket of facts.announcedHosts()) {
        if (await facts.hostAnswers(socket)) {
          return {
            ...dead,
            provider: 'mcp',
            socket,
            because: 'the client of a running svc-mcp of this project offers its model',
          };
        }
      }
      return { ...dead, because: `${unset}, and no client of a running svc-mcp of this project offers its model` };
    },
  },
  {
    rule: '2. --llm, or the provider in .svc/config.yaml',
    judge: (facts) => {
      const provider = namedProvider(facts);
      return provider === undefined
        ? { because: 'neither names one' }
        : { provider, because: `${whereNamed(facts)} names ${provider}` };
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

/** @throws SvcError invalid_input for a name that is no provider's, before any rule */
export async function selectProvider(facts: Facts): Promise<Selection> {
  namedProvider(facts);
  const steps: Step[] = [];
  let deadSocket: string | undefined;
  for (const { rule, judge } of RULES) {
    const outcome = await judge(facts);
    deadSocket ??= outcome.deadSocket;
    steps.push({ rule, matched: outcome.provider !== undefined, because: outcome.because });
    if (outcome.provider !== undefined) {
      return { provider: outcome.provider, socket: outcome.socket, steps, deadSocket };
    }
  }
  steps.push({ rule: '6. Otherwise: you are asked to set one up', matched: true, because: 'no other rule matched' });
  return { provider: undefined, socket: undefined, steps, deadSocket };
}

/** The flag counts before the file. */
function namedProvider({ flag, file }: Facts): ProviderName | typeof NO_PROVIDER | undefined {
  const name = flag ?? file;
  if (name === undefined || name === NO_PROVIDER || isProviderName(name)) return name;
  throw invalidInput(
    `Provider not found: ${flag === undefined ? '.svc/config.yaml names' : '--llm names'} "${shown(name)}"`,
    `The providers are ${PROVIDER_NAMES.join(', ')}; ${NO_PROVIDER} binds only what is named, without a model`,
  );
}

function whereNamed({ flag }: Facts): string {
  return flag === undefined ? 'the configuration file' : '--llm';
}
