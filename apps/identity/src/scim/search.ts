import { parseFilter, type Filter } from './filter.rules.ts'
import type { Attributes } from './attributes.rules.ts'
import type { PageRequest, ScimPage } from './page.sql.ts'
import type { Projection } from './projection.rules.ts'

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The parameters of a list. */
export interface Search extends PageRequest, Projection {
  filter?: string | undefined
}

/** The page that a search asks for; throws `invalidFilter` for a filter that is none. */
export function readSearch({ filter, startIndex, count, sortBy, sortOrder }: Search): PageRequest & {
  filter: Filter | undefined
} {
  return { startIndex, count, sortBy, sortOrder, filter: filter?.trim() ? parseFilter(filter) : undefined }
}

/** A page as clients read it. */
export function presentList<Row>({ items, total, startIndex }: ScimPage<Row>, present: (item: Row) => Attributes) {
  return {
    schemas: [listSchema],
    totalResults: total,
    startIndex,
    itemsPerPage: items.length,
    Resources: items.map(item => present(item) as Attributes & { id: string; schemas: string[] }),
  }
}
