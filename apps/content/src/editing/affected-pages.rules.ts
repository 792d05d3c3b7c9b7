/** The result of a change, as far as it says which pages it was about. */
export interface PageOutcome {
  ref?: string
  page?: string
  deletedPages?: string[]
}

/** A page that a batch inserted, changed or deleted. */
export interface AffectedPage {
  object: 'created_page' | 'updated_page' | 'deleted_page'
  page: string
  /** The name that the batch gave a page that it created. */
  ref?: string
}

interface Pages {
  get(id: string): unknown
}

/**
 * The pages that a batch affected, each once, as they were touched first:
 *
 * | before | after | the page is |
 * | ------ | ----- | ----------- |
 * | no     | yes   | created     |
 * | yes    | yes   | updated     |
 * | yes    | no    | deleted     |
 * | no     | no    | left out    |
 */
export function affectedPages(
  outcomes: readonly PageOutcome[],
  { before, after }: { before: Pages; after: Pages },
): AffectedPage[] {
  const refs = new Map<string, string | undefined>()
  for (const { page, ref, deletedPages = [] } of outcomes)
    for (const id of [...(page === undefined ? [] : [page]), ...deletedPages]) refs.set(id, refs.get(id) ?? ref)
  return Array.from(refs).flatMap(([page, ref]): AffectedPage[] => {
    const wasThere = before.get(page) !== undefined
    const isThere = after.get(page) !== undefined
    if (!wasThere && !isThere) return []
    if (!wasThere) return [{ object: 'created_page', page, ...(ref !== undefined && { ref }) }]
    return [{ object: isThere ? 'updated_page' : 'deleted_page', page }]
  })
}
