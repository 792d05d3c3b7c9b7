import { resolveTarget, type PlacedPage } from '@recto/repository-content'
import { decodeUriComponent } from '@recto/text'
import type { SpaceContent } from './space-content.ts'

/** Largest number of redirects that are followed one after another, as on a published site. */
const maxHops = 10

/**
 * Follows a path of a space through the redirects of its `.gitbook.yaml`, as a published site does. Undefined for a path that a page has,
 * that leads to no page a visitor sees, or round in a circle.
 */
export function followRedirects(path: string, space: SpaceContent): PlacedPage | undefined {
  const { targets, pages } = redirectsOf(space)
  const visitedKeys = new Set<string>()
  let at = trimmed(path)
  while (visitedKeys.size < maxHops && !visitedKeys.has(keyOf(at))) {
    const page = pages.get(at) ?? pages.get(keyOf(at))
    if (page) return page.path === trimmed(path) ? undefined : page
    const target = targets.get(keyOf(at))
    if (target === undefined) return undefined
    const targetPage = pageOf(target, space)
    if (targetPage) return targetPage
    visitedKeys.add(keyOf(at))
    at = trimmed(target.replace(/[?#].*$/s, '')).replace(/(?:^|\/)readme\.md$|\.md$/i, '')
  }
  return undefined
}

/** The paths of a space that lead to its pages by redirects. */
export function redirectSources(space: SpaceContent): string[] {
  const sources = Object.keys(space.repository.manifest.configuration.redirects ?? {}).map(trimmed)
  return [...new Set(sources)].filter(source => source !== '' && followRedirects(source, space) !== undefined)
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
  const page = followRedirects(decodeUriComponent(rest) ?? rest, space)
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

interface Redirects {
  /** Targets by the keys of their sources. */
  targets: ReadonlyMap<string, string>
  /** Pages by their paths, and by the keys of those. */
  pages: ReadonlyMap<string, PlacedPage>
}

/** The redirects of a space, read once. */
const redirectsBySpace = new WeakMap<SpaceContent, Redirects>()

function redirectsOf(space: SpaceContent): Redirects {
  const cachedRedirects = redirectsBySpace.get(space)
  if (cachedRedirects) return cachedRedirects
  const entries = Object.entries(space.repository.manifest.configuration.redirects ?? {})
  const targets = new Map(entries.map(([source, target]) => [keyOf(trimmed(source)), target]))
  const visible = [...space.visible.values()].filter(({ page }) => page.type === 'document' || page.type === 'group')
  // The first page of a path has it, in its own letter case before all others.
  const inReverse = visible.toReversed()
  const keys = inReverse.map(page => [keyOf(page.path), page] as const)
  const paths = inReverse.map(page => [page.path, page] as const)
  const redirects = { targets, pages: new Map([...keys, ...paths]) }
  redirectsBySpace.set(space, redirects)
  return redirects
}

function pageOf(target: string, { content, visible }: SpaceContent): PlacedPage | undefined {
  const { ref } = resolveTarget({ target: `/${trimmed(target)}`, kind: 'link', page: '', file: '' }, content)
  const isPage = ref?.kind === 'page' || ref?.kind === 'anchor'
  return isPage && ref.page !== undefined ? visible.get(ref.page) : undefined
}

/** Letter case does not distinguish paths. */
function keyOf(path: string): string {
  return path.toLowerCase()
}

/** A path without spaces, leading `./` and slashes, and trailing slashes. */
function trimmed(path: string): string {
  return path.trim().replace(/^(?:\.?\/)+|\/+$/g, '')
}
