/** Says what a run would do and send, without asking anybody. */
import type { SymbolSummary } from '../../question/question';
import { costOf, type JudgeName, NO_PROVIDER, PROVIDERS } from '../llm/providers';
import { type ModelRequest, requestOf } from '../llm/request-of';
import type { Preparation } from './ingest';
import type { Judge } from './plan';
import type { WithheldSection } from './withheld';

/** What a run would do, with everything that it would send. */
export interface DryRun {
  readonly dry_run: true;
  readonly provider: JudgeName;
  readonly model: string;
  readonly sections: readonly DrySection[];
  /** Would not be sent, because a secret stands in them. */
  readonly withheld: readonly WithheldSection[];
  readonly estimate: {
    readonly questions: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    /** Null where the price of the model is not known. */
    readonly cost_usd: number | null;
  };
}

interface DrySection {
  readonly document: string;
  readonly heading: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly candidates: readonly SymbolSummary[];
  /** Undefined when nothing would be sent about it. */
  readonly request?: ModelRequest;
}

/** An answer names two or three symbols with a short reason each. */
const OUTPUT_TOKENS = 150;

/** @param tokens counts as the models do, or nearly so */
export function dryRun(
  { tasks, withheld }: Preparation,
  { provider, model }: Judge,
  tokens: { count(text: string): number },
): DryRun {
  let input = 0;
  let questions = 0;
  const sections = tasks.map(({ planned, question }): DrySection => {
    const { heading, start_line, end_line } = planned.section;
    const place = { document: planned.document, heading, start_line, end_line };
    if (!question || provider === NO_PROVIDER) return { ...place, candidates: [] };
    const request = requestOf(provider, model, question);
    questions += 1;
    input += tokens.count(request.prompt.system) + tokens.count(request.prompt.user);
    return { ...place, candidates: question.candidates, request };
  });
  const kind = provider === NO_PROVIDER ? undefined : PROVIDERS[provider];
  const input_tokens = Math.ceil(input * (kind?.tokenFactor ?? 1));
  const output_tokens = questions * OUTPUT_TOKENS;
  const cost = kind?.runs === 'cloud' ? costOf(model, input_tokens, output_tokens) : 0;
  return {
    ...{ dry_run: true, provider, model, sections, withheld },
    estimate: { questions, input_tokens, output_tokens, cost_usd: cost === undefined ? null : Number(cost.toFixed(6)) },
  };
}
