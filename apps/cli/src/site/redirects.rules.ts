import { followRedirects, pathKey, trimPath, type PlacedPage } from '@recto/repository-content'
import { decodeUriComponent } from '@recto/text'
import type { SpaceContent } from './space-content.ts'

/**
 * Follows a path of a space through the redirects of its `.gitbook.yaml`, as a published site does. Undefined for a path that a page has,
 * that leads to no page a visitor sees, or round in a circle.
 */
export function redirectedPage(path: string, space: SpaceContent): PlacedPage | undefined {
  const start = trimPath(path)
  const pages = pagesByPath(space)
  const end = followRedirects(start, {
    redirects: space.repository.manifest.configuration.redirects,
    pageAt: at => pages.get(at) ?? pages.get(pathKey(at)),
    page: id => space.visible.get(id),
    lookup: () => space.content,
  })
  const page = end && 'page' in end ? end.page : undefined
  return page?.path === start ? undefined : page
}

/** The paths of a space that lead to its pages by redirects. */
export function redirectSources(space: SpaceContent): string[] {
  const sources = Object.keys(space.repository.manifest.configuration.redirects ?? {}).map(trimPath)
  return [...new Set(sources)].filter(source => source !== '' && redirectedPage(source, space) !== undefined)
}

/** Finds the space that an address of a site is in, and the path of the space in front of the rest of the address. */
export function spaceAt(pathname: string, spaces: readonly SpaceContent[]) {
  const [, first = ''] = pathname.split('/')
  const slugSpace = spaces.slice(1).find(({ space }) => space.slug === first)
  const space = slugSpace ?? spaces[0]
  return space && { space, basePath: slugSpace ? basePathOf(slugSpace, spaces) : '/' }
}

/** The path of a space below its site: the first one is at the root. */
export function basePathOf(space: SpaceContent, spaces: readonly SpaceContent[]): string {
  return space === spaces[0] ? '/' : `/${space.space.slug}/`
}

/** The address of a path of a space below its site. */
export function addressOf(path: string, basePath: string): string {
  return `${basePath}${path.split('/').map(encodeURIComponent).join('/')}`
}

/** The address of a page below its site: the home page of a space is at the beginning of the space. */
function addressOfPage(page: PlacedPage, { visible }: SpaceContent, basePath: string): string {
  const documents = [...visible.values()].filter(each => each.page.type === 'document')
  const home = documents.find(each => each.page.hidden !== true) ?? documents[0]
  if (page !== home) return addressOf(page.path, basePath)
  return basePath === '/' ? basePath : basePath.slice(0, -1)
}

/** The reply to the question where an address without a page leads; undefined where it leads nowhere. */
export function redirectReply(query: URLSearchParams, spaces: readonly SpaceContent[]): object | undefined {
  const source = query.get('source') ?? ''
  const place = spaceAt(source, spaces)
  if (!place) return undefined
  const { space, basePath } = place
  const rest = source.slice(basePath.length)
  const page = redirectedPage(decodeUriComponent(rest) ?? rest, space)
  if (!page) return undefined
  const visitorQuery = query.get('query')
  return {
    redirect: {
      object: 'site-redirect',
      id: 'redirect',
      source,
      draft: false,
      captureWildcard: false,
      permanent: false,
      destination: { kind: 'site-page', siteSpaceId: space.id, pageId: page.id },
      createdAt: '1970-01-01T00:00:00.000Z',
    },
    target: `${addressOfPage(page, space, basePath)}${visitorQuery ? `?${visitorQuery}` : ''}`,
  }
}

/** Pages by their paths, and by the keys of those, read once for each state of a space. */
const cachedPages = new WeakMap<SpaceContent, ReadonlyMap<string, PlacedPage>>()

function pagesByPath(space: SpaceContent): ReadonlyMap<string, PlacedPage> {
  const earlier = cachedPages.get(space)
  if (earlier) return earlier
  const visible = [...space.visible.values()].filter(({ page }) => page.type === 'document' || page.type === 'group')
  // The first page of a path has it, in its own letter case before all others.
  const inReverse = visible.toReversed()
  const keys = inReverse.map(page => [pathKey(page.path), page] as const)
  const paths = inReverse.map(page => [page.path, page] as const)
  const pages = new Map([...keys, ...paths])
  cachedPages.set(space, pages)
  return pages
}
