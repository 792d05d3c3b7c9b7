import { resolveTarget, type TargetLookup } from './resolve-target.ts'

/** The pages and redirects of a space. */
export interface RedirectedContent<Page> {
  /** The redirects of `.gitbook.yaml`: path to target. */
  redirects: Readonly<Record<string, string>> | undefined
  /** Finds the page that has a path, in any letter case. */
  pageAt(path: string): Page | undefined
  page(id: string): Page | undefined
  /** The content that targets are resolved in; asked for when a redirect applies. */
  lookup(): TargetLookup
}

/** The end of a path: a page, or another path, which a page may have had before; undefined without an end. */
export type PathEnd<Page> = { page: Page } | { path: string } | undefined

/** Largest number of redirects that are followed one after another. */
const maxHops = 10

/**
 * Follows a path through the redirects of `.gitbook.yaml`. A path that a page has is never redirected; undefined when redirects go in a circle
 * or are too many.
 */
export function followRedirects<Page>(path: string, content: RedirectedContent<Page>): PathEnd<Page> {
  const targets = targetsOf(content.redirects)
  const visitedKeys = new Set<string>()
  for (let at = path; visitedKeys.size < maxHops && !visitedKeys.has(pathKey(at));) {
    const page = content.pageAt(at)
    if (page) return { page }
    const target = targets.get(pathKey(at))
    if (target === undefined) return { path: at }
    visitedKeys.add(pathKey(at))
    const targetPage = pageOf(target, content)
    if (targetPage) return { page: targetPage }
    at = trimPath(target.replace(/[?#].*$/s, '')).replace(/(?:^|\/)readme\.md$|\.md$/i, '')
  }
  return undefined
}

/** Targets by the keys of their paths, read once for each table of redirects. */
const cachedTargets = new WeakMap<object, ReadonlyMap<string, string>>()

function targetsOf(redirects: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  if (!redirects) return new Map()
  const targets =
    cachedTargets.get(redirects) ??
    new Map(Object.entries(redirects).map(([source, target]) => [pathKey(trimPath(source)), target]))
  cachedTargets.set(redirects, targets)
  return targets
}

function pageOf<Page>(target: string, content: RedirectedContent<Page>): Page | undefined {
  const reference = { target: `/${trimPath(target)}`, kind: 'link', page: '', file: '' } as const
  const { ref } = resolveTarget(reference, content.lookup())
  const isPage = ref?.kind === 'page' || ref?.kind === 'anchor'
  return isPage && ref.page !== undefined ? content.page(ref.page) : undefined
}

/** The key under which a path is stored and looked up; letter case does not distinguish paths, and lone surrogates are no text. */
export function pathKey(path: string): string {
  return path.toLowerCase().replace(/\p{Cs}/gu, '\u{fffd}')
}

/** Trims spaces, leading `./` and slashes, and trailing slashes of a path. */
export function trimPath(path: string): string {
  return path.trim().replace(/^(?:\.?\/)+|\/+$/g, '')
}
