/** Bounds of what is parsed, since a parser's time and stack grow faster than its input; a page beyond one is kept as it was written. */
export const markdownBounds = {
  /** Levels of quotes, lists, tags, emphasis and HTML elements. */
  depth: 100,
  /** Estimated work of a page, about 2 to 5 seconds: see `parseCost`. A page of text has 4 a character. */
  cost: 100_000_000,
}
