/** Numbers of changes in the files of shared memories that any program made: operations of a store never come to these. */
export const FIRST_NUMBER_OF_FILE = 1_000_000_001;

export function isNumberOfFile(operation: number): boolean {
  return Number.isSafeInteger(operation) && operation >= FIRST_NUMBER_OF_FILE;
}
