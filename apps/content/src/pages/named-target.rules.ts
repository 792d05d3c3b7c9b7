import { decodeEntities } from '@recto/markdown'
import type { DocumentRef } from '@recto/markdown/schema'
import type { ContentLookup } from './content-lookup.ts'
import { resolveTarget, type WrittenTarget } from './resolve-target.ts'

/** The reference of a target to members: to what it leads to in the content, else with the id that it spells; undefined where it leads nowhere. */
export function referenceOf(written: WrittenTarget, content: ContentLookup): DocumentRef | undefined {
  const { ref } = resolveTarget(written, content)
  return ref && ref.kind !== 'url' ? ref : (namedTarget(written.target, content) ?? ref)
}

/** The reference that a URL of the application spells with an id, whether the content has it or not; undefined for any other target. `writeTarget` writes them. */
export function namedTarget(
  target: string,
  { publicUrl, spaceId }: { publicUrl: string; spaceId: string },
): DocumentRef | undefined {
  const url = decodeEntities(target).trim()
  if (!url.startsWith(`${publicUrl}/`)) return undefined
  const [, spec] = /^\/~\/openapi\/([^/?#]+)$/.exec(url.slice(publicUrl.length)) ?? []
  const slug = decode(spec)
  if (slug !== undefined) return { kind: 'openapi', spec: slug }
  const [, area, first, rest = ''] = /^\/([suc])\/([^/?#]+)(.*)$/s.exec(url.slice(publicUrl.length)) ?? []
  const id = decode(first)
  if (area === undefined || id === undefined) return undefined
  if (area !== 's')
    return rest !== '' ? undefined : area === 'u' ? { kind: 'user', user: id } : { kind: 'collection', collection: id }
  if (rest === '') return { kind: 'space', space: id }
  const [, anchorOfSpace] = /^#(.+)$/s.exec(rest) ?? []
  const named = decode(anchorOfSpace)
  if (named !== undefined) return { kind: 'anchor', anchor: named, ...(id !== spaceId && { space: id }) }
  const [, kind, second, hash] = /^\/~\/(pages|files|reusable)\/([^/?#]+)(?:#(.+))?$/s.exec(rest) ?? []
  const recordId = decode(second)
  const anchor = decode(hash)
  if (kind === undefined || recordId === undefined || (hash !== undefined && anchor === undefined)) return undefined
  const space = id === spaceId ? {} : { space: id }
  if (anchor !== undefined) return kind === 'pages' ? { kind: 'anchor', anchor, page: recordId, ...space } : undefined
  if (kind === 'pages') return { kind: 'page', page: recordId, ...space }
  return kind === 'files'
    ? { kind: 'file', file: recordId, ...space }
    : { kind: 'reusable-content', reusableContent: recordId, ...space }
}

/** Percent-decoded; undefined when it is not well-formed. */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
