import { textOf } from '@recto/markdown'
import type { JSONDocument } from '@recto/markdown/schema'
import type { CacheState } from '@recto/telemetry'
import { LRUCache } from 'lru-cache'
import { encodePath } from '../addresses/site-links.rules.ts'
import { ApiFailure } from '../api/api-client.ts'
import type { Reads } from '../api/reads.ts'
import type { DocumentPage, PageDocument } from '../api/types.ts'
import {
  bodyNeeds,
  referenceKey,
  type Body,
  type BodyInput,
  type BodyNeeds,
  type EmbedPreview,
} from '../blocks/index.ts'
import type { Locale } from '../i18n/index.ts'
import type { OpenedSite } from './open-site.ts'
import { tagLooks } from './tag-looks.ts'
import { resolveTargets } from './targets.ts'

/** Renders bodies of a site, by its id, in threads of their own. */
export type RenderBody = (input: BodyInput, site: string) => Promise<Body>

/** A body as HTML, with the beginning of its text. */
export interface ReadBody extends Body {
  summary: string
}

/** Where the feed of the updates of a page is. */
export function feedHref({ path }: DocumentPage, { links }: Pick<OpenedSite, 'links'>): string {
  return `${links.space}${encodePath(path)}/rss.xml`
}

/** The site of a body, and the settings that it depends on. */
export interface BodyPlace {
  site: OpenedSite
  locale: Locale
  newTab: boolean
  externalAI: boolean
}

/** Reads bodies of pages as HTML. */
export interface Bodies {
  read(page: DocumentPage, where: BodyPlace): Promise<ReadBody>
  /** The HTML of a document that is no page and refers to nothing, such as an answer; it is not kept. */
  write(document: JSONDocument, where: BodyPlace): Promise<string>
  /** The HTML of a document that differs from another one, with which it is merged; it is not kept. */
  compare(input: ComparedInput, where: BodyPlace): Promise<Body>
  state(): CacheState
}

/** A merged document with all that it refers to. */
export type ComparedInput = Omit<BodyInput, 'feed' | 'claims' | 'locale' | 'opensExternalLinksInNewTab' | 'externalAI'>

/** Milliseconds for which a body is kept: no longer than the token that it was read with. */
const keptFor = 10 * 60_000
/** Milliseconds for which a body is kept that shows what changes without a revision of its space: specifications, other spaces. */
const keptIfChanging = 5_000
/** Milliseconds for which a page that cannot be rendered is not tried again: each attempt may take a thread for its whole time. */
const failureKeptFor = 60_000
/** The status of a page that cannot be rendered; the client of the API has no other failure with it. */
const unrenderable = 500

/** Reads bodies through `reads` and keeps them: a body changes only with its revision, its visitor or its address. */
export function createBodies(reads: Reads, { render, maxBytes }: { render: RenderBody; maxBytes: number }): Bodies {
  const bodies = new LRUCache<string, Promise<ReadBody>>({ max: 10_000, maxSize: Math.max(1, maxBytes), ttl: keptFor })
  let hits = 0
  let misses = 0
  const make = (key: string, page: DocumentPage, making: Making): Promise<ReadBody> => {
    const made = makeBody(page, making)
    const body = made.then(({ body }) => body)
    bodies.set(key, body, { size: 1 })
    const keepFor = (ttl: number, size: number): void => {
      if (bodies.peek(key) !== body) return
      const left = Math.min(ttl, bodies.getRemainingTTL(key))
      // The size of an entry with the same value is not read again.
      bodies.delete(key)
      if (left > 0) bodies.set(key, body, { size, ttl: left })
    }
    made.then(
      ({ body: { html }, mayChange }) => keepFor(mayChange ? keptIfChanging : keptFor, html.length * 2 + 1),
      (error: unknown) => keepFor(error instanceof ApiFailure && error.status === unrenderable ? failureKeptFor : 0, 1),
    )
    return body
  }
  return {
    read(page, where) {
      const { site, locale, newTab, externalAI } = where
      const { lookup, revision, links } = site
      const key = JSON.stringify([lookup.apiToken, revision.id, page.id, links.space, locale, newTab, externalAI])
      const body = bodies.get(key)
      if (body) hits += 1
      else misses += 1
      return body ?? make(key, page, { ...where, reads, render })
    },
    async write(document, { site, locale, newTab }) {
      const nothing = { targets: {}, included: {}, embeds: {}, specifications: {}, tags: {}, claims: {} }
      const settings = { locale, opensExternalLinksInNewTab: newTab, externalAI: false }
      return (await render({ document, ...nothing, ...settings }, site.lookup.site)).html
    },
    compare(input, { site, locale, newTab }) {
      const settings = { locale, opensExternalLinksInNewTab: newTab, externalAI: false, claims: site.claims }
      return renderOrFail({ ...input, ...settings }, { site, render })
    },
    state: () => ({ hits, misses, bytes: bodies.calculatedSize }),
  }
}

interface Making extends BodyPlace {
  reads: Reads
  render: RenderBody
}

/** Renders a body; one that shows what is no part of the revision may change. */
async function makeBody(
  page: DocumentPage,
  { site, locale, newTab, externalAI, reads, render }: Making,
): Promise<{ body: ReadBody; mayChange: boolean }> {
  const document = await readDocument(page, { site, reads })
  const { needs, ...parts } = await readParts(document, { page, site, reads })
  const input = { document, ...parts, feed: feedHref(page, site), claims: site.claims }
  const settings = { locale, opensExternalLinksInNewTab: newTab, externalAI }
  const body = await renderOrFail({ ...input, ...settings }, { site, render })
  const summary = beginningOf(textOf(document))
  const hasOthers = needs.references.some(
    ref => 'space' in ref && ref.space !== undefined && ref.space !== site.space.id,
  )
  return { body: { ...body, summary }, mayChange: hasOthers || needs.specifications.length > 0 }
}

async function renderOrFail(
  input: BodyInput,
  { site, render }: { site: Pick<OpenedSite, 'lookup'>; render: RenderBody },
): Promise<Body> {
  return render(input, site.lookup.site).catch((cause: unknown) => {
    throw new ApiFailure(unrenderable, 'This page takes too long to show', { cause })
  })
}

/** Reads all that a document refers to. */
export async function readParts(document: JSONDocument, { page, site, reads }: ReadingFrom & { page: DocumentPage }) {
  const { included, needs } = await readIncluded(document, { site, reads })
  const [targets, embeds, specifications] = await Promise.all([
    resolveTargets(needs.references, { site, reads, page }),
    readEmbeds(needs.embeds, { site, reads }),
    readSpecifications(needs.specifications, { site, reads }),
  ])
  return { needs, included, targets, embeds, specifications, tags: tagLooks(site.revision) }
}

/** Characters of a text that search engines show. */
const summaryLength = 160

function beginningOf(text: string): string {
  const words = text
    .slice(0, summaryLength * 4)
    .split(/\s+/)
    .filter(Boolean)
    .join(' ')
  return words.length > summaryLength ? `${words.slice(0, summaryLength - 1).replace(/\s\S*$/, '')}…` : words
}

interface ReadingFrom {
  site: OpenedSite
  reads: Reads
}

const evaluated = { evaluated: 'deterministic-only' }

async function readDocument({ id }: DocumentPage, { site, reads }: ReadingFrom): Promise<JSONDocument> {
  const { space, revision, lookup } = site
  const path = `/spaces/${space.id}/revisions/${revision.id}/page/${id}/document`
  return reads.immutable<PageDocument>({ path, query: evaluated, token: lookup.apiToken })
}

/** How deep contents may include others, and how many of them a page shows. */
const deepestInclusion = 5
const maxIncluded = 200

/** A document's inclusions, by their keys, and what all of them need to be shown. */
interface Included {
  included: Record<string, JSONDocument>
  needs: BodyNeeds
}

/** Reads the contents that a document includes, and those that these include; what cannot be read is left out. */
async function readIncluded(document: JSONDocument, from: ReadingFrom): Promise<Included> {
  const { site, reads } = from
  const included: Record<string, JSONDocument> = {}
  let latest = [bodyNeeds(document)]
  const needs = [...latest]
  for (let depth = 0; depth < deepestInclusion; depth += 1) {
    const references = new Map(latest.flatMap(each => each.reusableContents).map(ref => [referenceKey(ref), ref]))
    const missing = [...references].filter(([key]) => !Object.hasOwn(included, key))
    const read = await Promise.allSettled(
      missing.slice(0, maxIncluded - Object.keys(included).length).map(async ([key, ref]) => {
        if (ref.kind !== 'reusable-content' || (ref.space !== undefined && ref.space !== site.space.id)) return []
        const path = `/spaces/${site.space.id}/revisions/${site.revision.id}/reusable-contents/${encodeURIComponent(ref.reusableContent)}/document`
        const token = site.lookup.apiToken
        included[key] = await reads.immutable<JSONDocument>({ path, query: evaluated, token })
        return [bodyNeeds(included[key])]
      }),
    )
    latest = fulfilled(read).flat()
    needs.push(...latest)
  }
  return { included, needs: mergeNeeds(needs) }
}

/** Embeds of a page whose previews are read; more are shown by their URL. */
const maxEmbeds = 20

async function readEmbeds(urls: readonly string[], from: ReadingFrom): Promise<Record<string, EmbedPreview>> {
  const { site, reads } = from
  const token = site.lookup.apiToken
  const read = urls.slice(0, maxEmbeds).map(async (url): Promise<[string, EmbedPreview]> => {
    const preview = await reads.immutable<EmbedPreview>({
      path: `/spaces/${site.space.id}/embed`,
      query: { url },
      token,
    })
    return [url, preview]
  })
  return Object.fromEntries(fulfilled(await Promise.allSettled(read)))
}

/** Specifications that a page shows; each can be of many megabytes. */
const maxSpecifications = 20

async function readSpecifications(ids: readonly string[], from: ReadingFrom): Promise<Record<string, string>> {
  const { site, reads } = from
  const { organization, apiToken: token } = site.lookup
  const read = ids.slice(0, maxSpecifications).map(async (id): Promise<[string, string]> => {
    const path = `/orgs/${organization}/openapi/${encodeURIComponent(id)}/versions/latest/content`
    const { filesystem } = await reads.fresh<{ filesystem: object }>({ path, token })
    return [id, JSON.stringify(filesystem)]
  })
  return Object.fromEntries(fulfilled(await Promise.allSettled(read)))
}

function fulfilled<Value>(results: readonly PromiseSettledResult<Value>[]): Value[] {
  return results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
}

function mergeNeeds(needs: readonly BodyNeeds[]): BodyNeeds {
  return {
    references: needs.flatMap(({ references }) => references),
    embeds: [...new Set(needs.flatMap(({ embeds }) => embeds))],
    specifications: [...new Set(needs.flatMap(({ specifications }) => specifications))],
    reusableContents: needs.flatMap(({ reusableContents }) => reusableContents),
  }
}
