/** What the server refused, for people, who need not know the code: what is wrong and what to do. */
export function withoutCode(message: string): string {
  return message.replace(/^[a-z_]+: /, '');
}
