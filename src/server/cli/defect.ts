/** What people are told about an error that is none of ours; its own words and its stack are not for them. */
export function defectSentence(name: string): string {
  return `Internal error in svc-memory (${name}). Run the command again with SVC_DEBUG=1 for details, and please report it.`;
}
