/** The words in which the command line reports an ingestion: what it did or would do, and why a provider was chosen. */
import { counted } from '../base/counted';
import { shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { DryRun } from '../ingest/dry-run';
import type { IngestReport } from '../ingest/ingest';
import { type JudgeName, NO_PROVIDER, PROVIDERS } from '../llm/providers';
import type { Step } from '../llm/select-provider';
import { describeNotParsed } from './not-parsed';
import { describeUnreadRules } from './unread-rules';

const MAX_SHOWN_SIGNATURE = 100;

export function describeDryRun({ provider, model, sections, withheld, estimate }: DryRun): string {
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
    ...describeWithheld(withheld),
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
    withheld,
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
    ...describeWithheld(withheld),
    ...(failed.length === 0
      ? []
      : [`${counted(failed.length, 'section')} without an answer; the next run asks again.`]),
  ].join('\n');
}

function describeWithheld(withheld: IngestReport['withheld']): string[] {
  return withheld.map(
    ({ document, line, problem }) => `Not sent: the section at ${oneLine(document)}:${line}, which holds ${problem}.`,
  );
}

export function describeSteps(steps: readonly Step[]): string {
  return steps.map(({ rule, matched, because }) => `${matched ? '→' : ' '} ${rule}\n    ${because}`).join('\n');
}
