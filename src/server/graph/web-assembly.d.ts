/** What the types of Node leave out of WebAssembly. */
declare namespace WebAssembly {
  class Memory {
    constructor(pages: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }

  class RuntimeError extends Error {}
}
