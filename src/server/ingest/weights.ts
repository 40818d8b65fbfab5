/**
 * The numbers of choosing candidates, chosen on the labelled sections of `npm run bench -- ingest`. On documents that
 * they were not chosen on, expect 91 % instead of 96 %: so much is found in each of the five when the numbers are chosen,
 * from round ones, on the other four.
 */
export const WEIGHTS = {
  /** What a word of a symbol counts by where it stands. */
  name: 4,
  doc: 2.3,
  signature: 0.1,
  path: 1.45,
  /** BM25. */
  k1: 0.5,
  b: 0.86,
  /** Added to what a word of the section counts when it stands in a heading or in backticks. */
  heading: 1.2,
  backticks: 0.05,
  /** The parts of a score: names and doc comments, the lines of the symbol, its whole file, the hashed vectors. */
  described: 1,
  body: 0.3,
  file: 0.5,
  /** How well its file fits the document as a whole. */
  document: 0.05,
  embedding: 0.55,
  /** Named in backticks or linked, named in the text; shared by all that the name can mean. */
  named: 0.45,
  namedInText: 1.4,
  /** It stands in a file that is named. */
  inNamedFile: 0.4,
  /** A share of the best two others of its file: what a section speaks of often stands together. */
  together: 0.18,
  /** Handed on by a symbol that matches to what it calls, in its file and in others, and to what calls it. */
  called: 0.27,
  calledElsewhere: 0.5,
  calls: 0.1,
  /** Shares by which a text's score grows or shrinks: other files use it, it stands inside of something else, it is a type. */
  used: 0.15,
  inner: -0.19,
  type: -0.17,
  /** What is left of a score for each symbol of the same file that is chosen already. */
  crowded: 0.965,
};
