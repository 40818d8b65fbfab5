/** Reports what an ingestion did, or would do. */
import type { SymbolSummary } from '../../question/question';
import { counted } from '../base/counted';
import { shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { IngestReport, Preparation } from '../ingest/ingest';
import type { Judge } from '../ingest/plan';
import { costOf, type JudgeName, NO_PROVIDER, PROVIDERS } from '../llm/providers';
import { type ModelRequest, requestOf } from '../llm/request-of';
import { describeNotParsed } from './not-parsed';
import { describeUnreadRules } from './unread-rules';

/** What a run would do, with everything that it would send. */
export interface DryRun {
  readonly dry_run: true;
  readonly provider: JudgeName;
  readonly model: string;
  readonly sections: readonly DrySection[];
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
const MAX_SHOWN_SIGNATURE = 100;

export function dryRun(
  { tasks }: Preparation,
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
    ...{ dry_run: true, provider, model, sections },
    estimate: { questions, input_tokens, output_tokens, cost_usd: cost === undefined ? null : Number(cost.toFixed(6)) },
  };
}

export function describeDryRun({ provider, model, sections, estimate }: DryRun): string {
  const [first] = sections.flatMap(({ request }) => request?.prompt ?? []);
  return [
    ...sections.flatMap(({ document, heading, start_line, end_line, candidates, request }) => [
      `## ${oneLine(document)}:${start_line}–${end_line} ${oneLine(heading)}`,
      ...candidates.map(
        ({ id, kind, name, path, signature }) =>
          `- ${id} ${shownWord(kind)} ${oneLine(name)} (${oneLine(path)}) ${cut(oneLine(signature), MAX_SHOWN_SIGNATURE)}`,
      ),
      ...(request
        ? ['Would be sent:', request.prompt.user, `With ${JSON.stringify(request.settings)}`]
        : ['Nothing would be sent.']),
      '',
    ]),
    ...(first ? ['With each of them, as instructions:', first.system, ''] : []),
    summary(provider, model, estimate),
    'This was a dry run: nobody was contacted and no binding was written.',
  ].join('\n');
}

function summary(
  provider: JudgeName,
  model: string,
  { questions, input_tokens, output_tokens, cost_usd }: DryRun['estimate'],
): string {
  if (questions === 0) return 'Nothing would be sent.';
  const title = provider === NO_PROVIDER ? provider : PROVIDERS[provider].title;
  const cost =
    cost_usd === null
      ? 'the price of this model is not known here'
      : cost_usd === 0
        ? 'at no charge by token'
        : `about $${cost_usd.toFixed(4)}`;
  return `To ${title}${model === '' ? '' : ` (${model})`}: ${counted(questions, 'question')}, about ${input_tokens} tokens in and ${output_tokens} out, ${cost}.`;
}

export function describeIngest(
  {
    documents,
    sections,
    bindings,
    failed,
    skipped,
    not_parsed,
    unread_rules,
    interrupted,
    provider,
    model,
  }: IngestReport,
  code: { readonly indexed: number; readonly removed: number },
): string {
  const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`);
  const by =
    provider === NO_PROVIDER ? 'by what they name' : `by ${provider}${model === '' ? '' : ` (${oneLine(model)})`}`;
  return [
    ...(interrupted ? ['Interrupted. What is done is kept; run it again to go on.'] : []),
    `Code: read ${counted(code.indexed, 'changed file')}, removed ${code.removed}.`,
    `Documents: read ${documents.read}, unchanged ${documents.unchanged}, removed ${documents.removed}.`,
    `Sections: judged ${sections.judged} ${by}, asked about ${sections.asked}.`,
    `Bindings: ${bindings.total} (added ${bindings.added}, changed ${bindings.changed}, removed ${bindings.removed}).`,
    ...(left.length === 0 ? [] : [`Left out: ${left.join(', ')}.`]),
    ...describeNotParsed(not_parsed, '--json'),
    ...describeUnreadRules(unread_rules),
    ...(failed.length === 0
      ? []
      : [`${counted(failed.length, 'section')} without an answer; the next run asks again.`]),
  ].join('\n');
}
