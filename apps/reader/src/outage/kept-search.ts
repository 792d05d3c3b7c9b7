import type { JSONDocument } from '@recto/markdown/schema'
import { preparePages, searchPages, type IndexedPage, type PreparedPage, type SearchHit } from '@recto/text'
import { LRUCache } from 'lru-cache'
import type { ApiReply, ApiRequest } from '../api/api-client.ts'
import type { PublishedSite, Revision, SiteSpace, Space } from '../api/types.ts'
import { isListed, pageTree } from '../loaders/page-tree.rules.ts'
import { documentSections } from './document-sections.rules.ts'
import { completeKey, keyOf } from './kept-request.rules.ts'
import type { KeptSite } from './kept-sites.ts'
import type { KeptStore } from './kept-store.ts'
import { searchedSpaces } from './searched-spaces.rules.ts'

/** Searches in pages on disk. */
export interface KeptSearch {
  /** The reply to a search; undefined for any other request, and where nothing of the site is kept. */
  find(site: KeptSite, request: ApiRequest): Promise<ApiReply | undefined>
}

const searchPath = /^\/orgs\/[^/]+\/sites\/[^/]+\/search$/
/** Characters of words in memory: of the sites that are searched in an outage. */
const maxWords = 32 * 1024 * 1024
const defaultLimit = 50

/** Creates a search that reads the pages of a revision when it is first searched. */
export function createKeptSearch(store: KeptStore): KeptSearch {
  const indexes = new LRUCache<string, PreparedPage[], { site: KeptSite; revision: Revision; space: string }>({
    maxSize: maxWords,
    sizeCalculation: pages => 1 + pages.reduce((sum, page) => sum + lengthOf(page), 0),
    fetchMethod: (_key, _stale, { context: { site, revision, space } }) => readPages(store, { site, revision, space }),
  })
  return {
    async find(site, { method, path, body, query = {} }) {
      if (method !== 'POST' || !searchPath.test(path)) return undefined
      const key = keyOf({ path: path.replace(/search$/, 'published') })
      const text = await store.readText({ site: site.id, key, kind: 'site' })
      if (text === undefined) return undefined
      const { query: words, scope = {} } = body as { query: string; scope?: { currentSiteSpace?: string } }
      const spaces = searchedSpaces(JSON.parse(text) as PublishedSite, scope.currentSiteSpace)
      const results = await Promise.all(
        spaces.map(async siteSpace => {
          const revision = await readRevision(store, { site, space: siteSpace.space.id })
          const context = revision && { site, revision, space: siteSpace.space.id }
          const pages = context && (await indexes.forceFetch(`${site.version} ${revision.id}`, { context }))
          return { siteSpace, hits: searchPages(words, pages ?? []) }
        }),
      )
      const items = presentHits(results, Number(query.limit) || defaultLimit)
      return { text: JSON.stringify({ items, count: items.length }) }
    },
  }
}

function lengthOf({ titles, sections }: PreparedPage): number {
  return (
    titles.length +
    sections.reduce((sum, { heading, text, section }) => sum + heading.length + text.length + section.text.length, 0)
  )
}

async function readRevision(
  store: KeptStore,
  { site, space }: { site: KeptSite; space: string },
): Promise<Revision | undefined> {
  const key = keyOf({ path: `/spaces/${space}` })
  const place = { site: site.id, key, kind: 'space' as const }
  const text = (await store.readText({ ...place, key: completeKey(key) })) ?? (await store.readText(place))
  if (text === undefined) return undefined
  const { revision } = JSON.parse(text) as Space
  const revisionKey = keyOf({ path: `/spaces/${space}/revisions/${revision}`, query: { metadata: 'true' } })
  const revisionText = await store.readText({ site: site.id, key: revisionKey, kind: 'part' })
  return revisionText === undefined ? undefined : (JSON.parse(revisionText) as Revision)
}

/** Reads the pages of a revision, one after another; one that is not kept is not found. */
async function readPages(
  store: KeptStore,
  { site, revision, space }: { site: KeptSite; revision: Revision; space: string },
): Promise<PreparedPage[]> {
  const pages: IndexedPage[] = []
  for (const treePage of pageTree(revision).documents) {
    if (!isListed(treePage)) continue
    const { id, title, description = '', path } = treePage.page
    const documentPath = `/spaces/${space}/revisions/${revision.id}/page/${id}/document`
    const key = keyOf({ path: documentPath, query: { evaluated: 'deterministic-only' } })
    const text = await store.readText({ site: site.id, key, kind: 'part' })
    if (text === undefined) continue
    pages.push({ id, title, description, path, sections: documentSections(JSON.parse(text) as JSONDocument) })
  }
  return preparePages(pages)
}

interface SpaceHits {
  siteSpace: SiteSpace
  hits: SearchHit[]
}

/** The hits in the form of the API: the space with the best page first. */
function presentHits(results: readonly SpaceHits[], limit: number): object[] {
  const all = results.flatMap(({ siteSpace, hits }) => hits.map(hit => ({ siteSpace, hit })))
  const best = all.sort((one, other) => other.hit.score - one.hit.score).slice(0, limit)
  const spaces = [...new Set(best.map(({ siteSpace }) => siteSpace))]
  return spaces.map(siteSpace => {
    const own = best.filter(each => each.siteSpace === siteSpace)
    const pages = own.map(({ hit }) => presentPage(hit, best.findIndex(each => each.hit === hit) + 1))
    return { type: 'space', id: siteSpace.space.id, title: siteSpace.title, score: own[0]?.hit.score ?? 0, pages }
  })
}

function presentPage({ page, score, sections }: SearchHit, rank: number): object {
  const { id, title, description, path } = page
  const urls = { app: '' }
  return {
    id,
    title,
    description,
    path,
    score,
    rank,
    resultType: sections.length === 0 ? 'page' : 'section',
    ancestors: [],
    sections: sections.map(({ title: heading, anchor, excerpt }) => ({
      id: `${id}${anchor ?? ''}`,
      title: heading || title,
      path: anchor === undefined ? path : `${path}#${anchor}`,
      score,
      resultType: 'section',
      body: excerpt,
      urls,
    })),
    urls,
  }
}
