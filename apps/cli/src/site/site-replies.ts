import { defaultCustomization } from '@recto/contracts-publishing'
import { readDocument, readMarkdown, type ParseDocument } from './documents.ts'
import { textOfPage, textOfReusable, type FolderSiteSource, type SiteThreads } from './folder-site.ts'
import { presentRevision } from './present-revision.rules.ts'
import { redirectReply, spaceAt } from './redirects.rules.ts'
import { searchPages } from '@recto/text'
import type { SpaceContent } from './space-content.ts'

/** A request of a reader. */
export interface SiteRequest {
  method: string
  /** Below `/v1`. */
  path: string
  query: URLSearchParams
  body: unknown
}

/** Sources of the replies of a site. */
export interface SiteTools {
  site: FolderSiteSource
  threads: SiteThreads
  /** The address of the server that answers, for addresses of files. */
  baseUrl(): string
}

const organization = 'folder'
const siteId = 'site'
const at = '1970-01-01T00:00:00.000Z'
const placeholders = { createdAt: at, updatedAt: at, organization, permissions: {}, defaultLevel: null }

/** The replies that a reader needs of the API, computed from a folder; undefined for what is not there. */
export async function replyTo(request: SiteRequest, tools: SiteTools): Promise<object | undefined> {
  const { method, path } = request
  if (method === 'POST' && path === '/urls/published') return lookUp(request.body, tools)
  if (path === `/orgs/${organization}/sites/${siteId}/published`) return publishedSite(tools)
  if (path === `/orgs/${organization}/sites/${siteId}/redirect`)
    return redirectReply(request.query, tools.site.state().spaces)
  if (path === `/orgs/${organization}/sites/${siteId}/search`) return search(request.body, tools)
  // Nothing is counted.
  if (path === `/orgs/${organization}/sites/${siteId}/insights/events`) return {}
  const [, id, rest = ''] = /^\/spaces\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (id === undefined) return undefined
  const current = tools.site.space(id)
  if (rest === '') return current && spaceReply(current)
  const [, revision, below = ''] = /^\/revisions\/([^/]+)(\/.*)?$/.exec(rest) ?? []
  const space = revision === undefined ? undefined : tools.site.space(id, revision)
  return space && replyOfRevision({ space, path: below, query: request.query }, tools)
}

async function replyOfRevision(
  { space, path, query }: { space: SpaceContent; path: string; query: URLSearchParams },
  tools: SiteTools,
): Promise<object | undefined> {
  if (path === '') return presentRevision(space, id => `${tools.baseUrl()}/files/${space.id}/${space.revision}/${id}`)
  const parse: ParseDocument = source => tools.threads.run('document', source)
  const [, kind, id = '', isDocument] = /^\/(page|reusable-contents)\/([^/]+)(\/document)?$/.exec(path) ?? []
  const text = kind === 'page' ? textOfPage(space, id) : kind ? textOfReusable(space, id) : undefined
  if (!text) return undefined
  if (isDocument !== undefined) return readDocument(text, space, parse)
  const base = query.get('format.markdown.base') ?? ''
  return { id, markdown: await readMarkdown(text, space, { parse, base }) }
}

/** The claims that the reader reads from a token; nobody verifies it. */
const apiToken = `folder.${Buffer.from(JSON.stringify({ claims: { unsigned: {} } })).toString('base64url')}.none`

function lookUp(body: unknown, { site }: SiteTools): object | undefined {
  const { url } = (body ?? {}) as { url?: unknown }
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  const place = spaceAt(pathname, site.state().spaces)
  if (!place) return undefined
  const { space, basePath } = place
  return {
    organization,
    site: siteId,
    siteSpace: space.id,
    space: space.id,
    pathname: `/${pathname.slice(basePath.length)}`,
    basePath,
    siteBasePath: '/',
    apiToken,
    complete: true,
    canonicalUrl: `${origin}${pathname}`,
  }
}

function spaceReply({ id, revision, space: { title } }: SpaceContent): object {
  return {
    object: 'space',
    id,
    title,
    emoji: '',
    visibility: 'public',
    revision,
    editMode: 'live',
    urls: {},
    ...placeholders,
  }
}

function publishedSite({ site }: SiteTools): object {
  const { title, spaces } = site.state()
  const structure = spaces.map((space, position) => ({
    object: 'site-space',
    id: space.id,
    path: space.space.slug,
    space: spaceReply(space),
    title: space.space.title,
    ...(position === 0 && { default: true }),
    draft: false,
    urls: {},
  }))
  const { pageActions, ...look } = defaultCustomization
  return {
    object: 'published-content-site',
    site: {
      object: 'site',
      id: siteId,
      title,
      visibility: 'public',
      published: true,
      agentsContext: 'included',
      urls: {},
      features: [],
      ...placeholders,
    },
    structure: { type: 'siteSpaces', structure },
    customizations: {
      site: {
        ...look,
        title,
        pdf: { enabled: false },
        pageActions: { ...pageActions, mcp: false, items: ['markdown'] },
      },
      siteSpaces: {},
    },
    scripts: [],
  }
}

async function search(body: unknown, { site }: SiteTools): Promise<object> {
  const { query } = (body ?? {}) as { query?: unknown }
  const items: object[] = []
  for (const space of site.state().spaces) {
    const hits = searchPages(typeof query === 'string' ? query : '', await site.index(space))
    if (hits.length === 0) continue
    const pages = hits.map(({ page, score, sections }, position) => ({
      id: page.id,
      title: page.title,
      description: page.description,
      path: page.path,
      score,
      rank: position + 1,
      resultType: 'page',
      ancestors: [],
      sections: sections.map(({ title, anchor, excerpt }) => ({
        id: `${page.id}${anchor ?? ''}`,
        title: title || page.title,
        path: anchor === undefined ? page.path : `${page.path}#${anchor}`,
        score,
        resultType: 'section',
        body: excerpt,
        urls: { app: '' },
      })),
      urls: { app: '' },
    }))
    items.push({ type: 'space', id: space.id, title: space.space.title, score: hits[0]?.score ?? 0, pages })
  }
  return { items, count: items.length }
}
