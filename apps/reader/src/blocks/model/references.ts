import { referenceKey, type BodyInput, type Target } from './body.ts'
import { fieldsOf } from './read.ts'
import { isWebUrl, safeUrl } from './safe-url.ts'
import { brokenReference, type DocumentRef } from '@recto/markdown/schema'

/** The target of a reference; without `href` it leads nowhere. */
export interface Resolved extends Omit<Target, 'href'> {
  href: string | undefined
}

/** Finds what a reference leads to; undefined where nothing is known of it. */
export function resolve(ref: unknown, { targets }: Pick<BodyInput, 'targets'>): Resolved | undefined {
  const { kind, url, anchor, page, space } = fieldsOf(ref)
  if (typeof kind !== 'string' || url === brokenReference) return undefined
  const key = referenceKey(ref as DocumentRef)
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
  if (target) return { ...target, href: safeUrl(target.href) }
  if (kind === 'url' && typeof url === 'string') {
    const href = safeUrl(url)
    return { href, title: url, isExternal: isWebUrl(href) }
  }
  const isHere = kind === 'anchor' && page === undefined && space === undefined && typeof anchor === 'string'
  return isHere ? { href: safeUrl(`#${anchor}`), title: anchor } : undefined
}

/** Attributes of a link. */
export interface LinkAttributes {
  href: string
  rel?: string
  target?: '_blank'
}

/** The attributes of a link to what has an address. */
export function linkAttributes(
  { href = '', isExternal }: Pick<Resolved, 'href' | 'isExternal'>,
  { opensExternalLinksInNewTab }: Pick<BodyInput, 'opensExternalLinksInNewTab'>,
): LinkAttributes {
  if (!isExternal) return { href }
  return { href, rel: 'noopener noreferrer', ...(opensExternalLinksInNewTab && { target: '_blank' }) }
}

/** The reference of an item of a cell of files or users, which is an id, a URL or a reference as JSON. */
export function cellReference(item: string, kind: 'file' | 'user'): unknown {
  if (item.startsWith('{')) {
    try {
      return JSON.parse(item)
    } catch {
      return { kind: 'url', url: item }
    }
  }
  if (/[/:.]/.test(item)) return { kind: 'url', url: item }
  return kind === 'file' ? { kind, file: item } : { kind, user: item }
}
