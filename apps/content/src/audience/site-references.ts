import type { AudienceReference } from '@recto/audience'
import type { Visitor } from '@recto/actor'
import { Failure } from '@recto/operation'
import { LRUCache } from 'lru-cache'
import type { Context } from '../shared/context.ts'

/** The links of a site's customization to files, by the space of the file. */
type SiteReferences = ReadonlyMap<string, readonly AudienceReference[]>

/** References by site and version, since a change of the customization makes a new version; calls for one key share one request. */
const cache = new LRUCache<string, SiteReferences, () => Promise<SiteReferences>>({
  max: 10_000,
  ignoreFetchAbort: true,
  fetchMethod: (_key, _stale, { context: load }) => load(),
})

/** Reads the references from the customization of a visitor's site to a space; undefined while publishing does not reply. */
export async function siteReferences(
  { publishing, visitor }: Pick<Context, 'publishing'> & { visitor: Visitor },
  spaceId: string,
): Promise<readonly AudienceReference[] | undefined> {
  const key = JSON.stringify([visitor.site, visitor.version])
  try {
    const references = await cache.forceFetch(key, { context: () => loadReferences(publishing, visitor.site) })
    return references.get(spaceId) ?? []
  } catch (error) {
    if (error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')) return undefined
    throw error
  }
}

async function loadReferences(publishing: Context['publishing'], site: string): Promise<SiteReferences> {
  const { files } = await publishing.listLinkedFiles({ body: { site } })
  const bySpace = new Map<string, AudienceReference[]>()
  for (const { space, file, conditions } of files) {
    const references = bySpace.get(space) ?? []
    bySpace.set(space, [...references, { target: { kind: 'file', id: file }, conditions }])
  }
  return bySpace
}
