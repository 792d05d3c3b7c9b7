import { type ContentLookup, contentLookup } from '../pages/content-lookup.ts'
import type { PageIndex } from '../pages/page-tree.ts'
import { resolveTarget } from '../pages/resolve-target.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RepositoryConfiguration } from '../revisions/revision.entity.ts'
import { pathKey } from './former-paths.rules.ts'

/** Redirects of a space that are followed one after another. */
const maxHops = 10
const noFiles = { inOrder: [], get: () => undefined }

/** The content of a space in which a path is followed. */
export interface FollowedContent {
  spaceId: string
  pages: PageIndex
  configuration: RepositoryConfiguration | null
}

/** Where a path leads by the content alone: to a page, or to no more than another path, which pages may have had before. */
export type Followed = { page: PageRecord } | { path: string } | undefined

/**
 * Follows a path through the redirects of `.gitbook.yaml`. A path that a page has is never redirected; undefined when redirects go
 * in a circle or are too many.
 */
export function followPath(path: string, { spaceId, pages, configuration }: FollowedContent): Followed {
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
    at = cleaned(target.replace(/[?#].*$/s, '')).replace(/(?:^|\/)readme\.md$|\.md$/i, '')
  }
  return undefined
}

/** Redirects by the keys of their paths: those of one configuration are read once, however many paths follow them. */
const readRedirects = new WeakMap<RepositoryConfiguration, Map<string, string>>()

function redirectsOf(configuration: RepositoryConfiguration | null): Map<string, string> {
  if (!configuration) return new Map()
  const cachedRedirects = readRedirects.get(configuration)
  if (cachedRedirects) return cachedRedirects
  const entries = Object.entries(configuration.redirects ?? {})
  const redirects = new Map(entries.map(([source, target]) => [pathKey(cleaned(source)), target]))
  readRedirects.set(configuration, redirects)
  return redirects
}

function targetPage(target: string, content: ContentLookup): PageRecord | undefined {
  const { ref } = resolveTarget({ target: `/${cleaned(target)}`, kind: 'link', page: '', file: '' }, content)
  const isPage = ref?.kind === 'page' || ref?.kind === 'anchor'
  return isPage && ref.page !== undefined ? content.page(ref.page) : undefined
}

/** A path without what says only where it begins and ends. */
function cleaned(path: string): string {
  return path.trim().replace(/^(?:\.?\/)+|\/+$/g, '')
}
