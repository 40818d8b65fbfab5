/** What was shared because somebody stored, confirmed or kept it: operations that go with another one. */

/** By the root of the project: those that nobody has asked for yet. */
const noted = new Map<string, number[]>();
/** An agent's process asks for none of them. */
const MOST = 100;

export function noteShared(root: string, operation: number): void {
  noted.set(root, [...(noted.get(root) ?? []), operation].slice(-MOST));
}

/** Gives out, once, what was shared along with what was done last. */
export function takeShared(root: string): readonly number[] {
  const taken = noted.get(root) ?? [];
  noted.delete(root);
  return taken;
}
