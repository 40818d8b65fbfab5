/** What people are told of an error that is none of ours; its own words and its stack are not for them. */
export function defectSentence(name: string): string {
  return `This is a defect of svc-memory (${name}). Run it again with SVC_DEBUG=1 to see where, and report it.`;
}
