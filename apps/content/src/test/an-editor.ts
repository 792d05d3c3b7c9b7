import { expect } from '@jest/globals'
import type { ContentChange } from '@recto/contracts-content'
import type { z } from 'zod'
import { type ContentSetup, organization } from './content-setup.ts'

/** A change as a caller sends it. */
export type Change = z.input<typeof ContentChange>

interface Listed {
  id?: string
  path?: string
  pages?: Listed[]
}

/** An insertion of a page whose heading is its title. */
export function insert(title: string, more: Partial<Extract<Change, { operation: 'insert_page' }>> = {}): Change {
  return { operation: 'insert_page', title, document: { markdown: `# ${title}\n` }, ...more }
}

/** An editor of spaces: makes them, changes their content and reads it. */
export function anEditor(setup: () => ContentSetup) {
  const client = () => setup().as('edit')
  const aSpace = async () =>
    (
      await setup()
        .as('create')
        .createSpace({ params: { organizationId: organization }, body: {} })
    ).id
  const change = (spaceId: string, ...changes: Change[]) =>
    client().updateContent({ params: { spaceId }, body: { changes } })
  const listed = async (spaceId: string) => {
    const { pages } = await client().listPages({ params: { spaceId } })
    const flat = (all: Listed[]): Listed[] => all.flatMap(page => [page, ...flat(page.pages ?? [])])
    return flat(pages)
  }
  const idOf = async (spaceId: string, path: string) => {
    const id = (await listed(spaceId)).find(page => page.path === path)?.id
    expect(id).toBeDefined()
    return id ?? ''
  }
  return {
    client,
    aSpace,
    change,
    idOf,
    pathsOf: async (spaceId: string) => (await listed(spaceId)).map(({ path }) => path),
    page: async (spaceId: string, path: string, format?: 'document' | 'markdown') =>
      client().getPageById({
        params: { spaceId, pageId: await idOf(spaceId, path) },
        query: { ...(format && { format }) },
      }),
    revisionOf: async (spaceId: string) => (await client().getCurrentRevision({ params: { spaceId } })).id,
    /** A space with the pages a, a/b, a/b/c and d, and their ids. */
    async aTree() {
      const spaceId = await aSpace()
      const { changes } = await change(
        spaceId,
        insert('A', { ref: 'a' }),
        insert('B', { ref: 'b', into: 'a' }),
        insert('C', { into: 'b' }),
        insert('D'),
      )
      const [a = '', b = '', c = '', d = ''] = changes.map(made => made.page?.id ?? '')
      return { spaceId, a, b, c, d }
    },
  }
}
