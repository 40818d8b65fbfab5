/** Sections that no provider gets, because a secret stands in them: docs/behaviour.md, "What is sent". */
import { findSecret } from '../secrets/find-secret';
import { withArticle } from '../secrets/secret';
import type { PlannedSection } from './plan';

export interface WithheldSection {
  readonly document: string;
  /** Where the section begins, counted from 1. */
  readonly line: number;
  /** What looks like a secret, never what it says: `a private key in line 3 at character 1` of the section. */
  readonly problem: string;
}

export interface Parted {
  readonly sections: readonly PlannedSection[];
  readonly withheld: readonly WithheldSection[];
}

/** Parts the sections that a provider may get from those that hold a secret. */
export function withoutSecrets(planned: readonly PlannedSection[]): Parted {
  const sections: PlannedSection[] = [];
  const withheld: WithheldSection[] = [];
  for (const one of planned) {
    const { heading, text, start_line: line } = one.section;
    const secret = findSecret(text) ?? findSecret(heading);
    if (secret) withheld.push({ document: one.document, line, problem: `${withArticle(secret.kind)} ${secret.place}` });
    else sections.push(one);
  }
  return { sections, withheld };
}
