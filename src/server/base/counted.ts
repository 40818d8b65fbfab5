/** `1 decision`, `2 decisions`, `2 memories` */
export function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : plural(what)}`;
}

function plural(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
