import { decodeUriComponent } from '@recto/text'
import { decodeEntities } from '@recto/markdown'
import type { DocumentRef } from '@recto/markdown/schema'
import type { ContentLookup } from './content-lookup.ts'
import { resolveTarget, type WrittenTarget } from '@recto/repository-content'

/** The reference of a target for members: to its place in the content, else with the id that it spells; undefined when it leads nowhere. */
export function referenceOf(target: WrittenTarget, content: ContentLookup): DocumentRef | undefined {
  const { ref } = resolveTarget(target, content)
  return ref && ref.kind !== 'url' ? ref : (namedTarget(target.target, content) ?? ref)
}

/** The reference that a URL of the application spells with an id, whether the content has it or not; undefined for any other target. `writeTarget` writes them. */
export function namedTarget(
  target: string,
  { publicUrl, spaceId }: { publicUrl: string; spaceId: string },
): DocumentRef | undefined {
  const url = decodeEntities(target).trim()
  if (!url.startsWith(`${publicUrl}/`)) return undefined
  const [, spec] = /^\/~\/openapi\/([^/?#]+)$/.exec(url.slice(publicUrl.length)) ?? []
  const slug = decodePart(spec)
  if (slug !== undefined) return { kind: 'openapi', spec: slug }
  const [, area, first, rest = ''] = /^\/([suc])\/([^/?#]+)(.*)$/s.exec(url.slice(publicUrl.length)) ?? []
  const id = decodePart(first)
  if (area === undefined || id === undefined) return undefined
  if (area !== 's')
    return rest !== '' ? undefined : area === 'u' ? { kind: 'user', user: id } : { kind: 'collection', collection: id }
  if (rest === '') return { kind: 'space', space: id }
  const [, anchorOfSpace] = /^#(.+)$/s.exec(rest) ?? []
  const spaceAnchor = decodePart(anchorOfSpace)
  if (spaceAnchor !== undefined) return { kind: 'anchor', anchor: spaceAnchor, ...(id !== spaceId && { space: id }) }
  const [, kind, second, hash] = /^\/~\/(pages|files|reusable)\/([^/?#]+)(?:#(.+))?$/s.exec(rest) ?? []
  const recordId = decodePart(second)
  const anchor = decodePart(hash)
  if (kind === undefined || recordId === undefined || (hash !== undefined && anchor === undefined)) return undefined
  const space = id === spaceId ? {} : { space: id }
  if (anchor !== undefined) return kind === 'pages' ? { kind: 'anchor', anchor, page: recordId, ...space } : undefined
  if (kind === 'pages') return { kind: 'page', page: recordId, ...space }
  return kind === 'files'
    ? { kind: 'file', file: recordId, ...space }
    : { kind: 'reusable-content', reusableContent: recordId, ...space }
}

/** A part of a path, percent-decoded; undefined when it is absent or malformed. */
function decodePart(part: string | undefined): string | undefined {
  return part === undefined ? undefined : decodeUriComponent(part)
}
