/** Whether a page matched by its title, path and description, or by the text of a section. */
export type ResultType = 'page' | 'section'

/** A page matched by its name when the name has the whole query, or when no section has a word of it. */
export function resultTypeOf({ isInName, sections }: { isInName: boolean; sections: number }): ResultType {
  return isInName || sections === 0 ? 'page' : 'section'
}

/** The relevance of a hit, never below 0: a hit beyond those that are ranked has the least. */
export function scoreOf(rank: number): number {
  return Math.max(rank, 0)
}
