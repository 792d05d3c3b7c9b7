import { type ContentLookup, contentLookup } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { resolveTarget } from '@recto/repository-content'
import type { PageRecord } from '../revisions/records.ts'
import type { RepositoryConfiguration } from '../revisions/revision.entity.ts'
import { pathKey } from './former-paths.rules.ts'

/** Largest number of redirects that are followed one after another. */
const maxHops = 10
const noFiles = { inOrder: [], get: () => undefined }

/** The content of a space that a path is followed in. */
export interface ContentToFollow {
  spaceId: string
  pages: PageIndex
  configuration: RepositoryConfiguration | null
}

/** The end of a path: a page, or another path, which a page may have had before; undefined without an end. */
export type PathResult = { page: PageRecord } | { path: string } | undefined

/**
 * Follows a path through the redirects of `.gitbook.yaml`. A path that a page has is never redirected; undefined when redirects go
 * in a circle or are too many.
 */
export function followPath(path: string, { spaceId, pages, configuration }: ContentToFollow): PathResult {
  const redirects = redirectsOf(configuration)
  const root = configuration?.root ?? ''
  const content = () => contentLookup({ pages, files: noFiles, reusable: [], root }, { spaceId, publicUrl: '' })
  const visitedKeys = new Set<string>()
  for (let at = path; visitedKeys.size < maxHops && !visitedKeys.has(pathKey(at));) {
    const page = pages.byPathOfUrl(at)
    if (page) return { page }
    const target = redirects.get(pathKey(at))
    if (target === undefined) return { path: at }
    visitedKeys.add(pathKey(at))
    const targetOfRedirect = targetPage(target, content())
    if (targetOfRedirect) return { page: targetOfRedirect }
    at = trimPath(target.replace(/[?#].*$/s, '')).replace(/(?:^|\/)readme\.md$|\.md$/i, '')
  }
  return undefined
}

/** Redirects by the keys of their paths, read once per configuration. */
const redirectsCache = new WeakMap<RepositoryConfiguration, Map<string, string>>()

function redirectsOf(configuration: RepositoryConfiguration | null): Map<string, string> {
  if (!configuration) return new Map()
  const cachedRedirects = redirectsCache.get(configuration)
  if (cachedRedirects) return cachedRedirects
  const entries = Object.entries(configuration.redirects ?? {})
  const redirects = new Map(entries.map(([source, target]) => [pathKey(trimPath(source)), target]))
  redirectsCache.set(configuration, redirects)
  return redirects
}

function targetPage(target: string, content: ContentLookup): PageRecord | undefined {
  const { ref } = resolveTarget({ target: `/${trimPath(target)}`, kind: 'link', page: '', file: '' }, content)
  const isPage = ref?.kind === 'page' || ref?.kind === 'anchor'
  return isPage && ref.page !== undefined ? content.page(ref.page) : undefined
}

/** Trims spaces, leading `./` and slashes, and trailing slashes of a path. */
function trimPath(path: string): string {
  return path.trim().replace(/^(?:\.?\/)+|\/+$/g, '')
}
