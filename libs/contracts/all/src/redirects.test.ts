import type { Operation } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { api } from './index.ts'

const rows = Object.entries(api.publishing as Record<string, Operation>).flatMap(([id, { route, body }]) =>
  body && route?.includes('/redirects') ? [{ id, body }] : [],
)

/** The paths of objects in a schema that take fields which they do not name. */
function openObjects(part: unknown, path: string): string[] {
  if (typeof part !== 'object' || part === null) return []
  const isOpen = 'properties' in part && (part as { additionalProperties?: unknown }).additionalProperties !== false
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(part).flatMap(([key, child]: [string, unknown]) => openObjects(child, `${path}.${key}`)),
  ]
}

describe('A list of redirects from elsewhere', () => {
  it.each(rows)('$id refuses fields that a redirect does not have', ({ id, body }) => {
    expect(openObjects(z.toJSONSchema(body, { io: 'input' }), id)).toEqual([])
  })

  it('All forms in which redirects are written are among those that these tests check', () => {
    const ids = ['bulkUpsertSiteRedirects', 'createSiteRedirect', 'updateSiteRedirectById']
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids)
  })
})
