import type { AudienceReference } from '@recto/audience'
import type { Visitor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { LRUCache } from 'lru-cache'
import type { Context } from '../shared/context.ts'

/** The links of a site's customization to files, by the space of the file. */
type SiteReferences = ReadonlyMap<string, readonly AudienceReference[]>

/** By site and version, with which the customization changes; what is being asked for is asked for once. */
const cache = new LRUCache<string, Promise<SiteReferences>>({ max: 10_000 })

/** The references of a visitor's site to a space, from its customization; undefined while publishing does not answer: then nobody can tell. */
export async function siteReferences(
  { publishing, visitor }: Pick<Context, 'publishing'> & { visitor: Visitor },
  spaceId: string,
): Promise<readonly AudienceReference[] | undefined> {
  const key = JSON.stringify([visitor.site, visitor.version])
  const asked = cache.get(key) ?? ask(publishing, visitor.site)
  cache.set(key, asked)
  try {
    return (await asked).get(spaceId) ?? []
  } catch (error) {
    if (cache.peek(key) === asked) cache.delete(key)
    if (error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')) return undefined
    throw error
  }
}

async function ask(publishing: Context['publishing'], site: string): Promise<SiteReferences> {
  const { files } = await publishing.listLinkedFiles({ body: { site } })
  const bySpace = new Map<string, AudienceReference[]>()
  for (const { space, file, conditions } of files) {
    const references = bySpace.get(space) ?? []
    bySpace.set(space, [...references, { target: { kind: 'file', id: file }, conditions }])
  }
  return bySpace
}
