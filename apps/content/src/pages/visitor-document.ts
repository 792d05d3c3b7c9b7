import {
  brokenReference,
  decodeEntities,
  type DocumentRef,
  type JSONDocument,
  type ReferenceKind,
  withoutLinks,
  withRawTargets,
  withReferences,
} from '@recto/markdown'
import type { ContentLookup } from './content-lookup.ts'
import { isApplicationUrl, resolveTarget, type WrittenTarget } from '@recto/repository-content'
import { escapeEntities, visitorTarget, type VisitorLinks } from './visitor-links.rules.ts'
import type { VisitedPlace } from './visited-place.rules.ts'

/** A document as a visitor gets it, from one that was read with references as they are written: URLs that they can open, and ids of reusable contents that stand in it. */
export function withVisitorLinks(
  document: JSONDocument,
  text: Pick<WrittenTarget, 'page' | 'file'>,
  { content, links }: { content: ContentLookup; links: VisitorLinks },
): JSONDocument {
  const urlOf = (target: string, kind: string) => {
    const resolved = resolveTarget({ target, kind, ...text }, content)
    // A target that leads nowhere can be the path of content that the visitor does not see, and say its title.
    const url = resolved.ref ? visitorTarget(resolved, kind, links) : brokenReference
    return url === undefined ? undefined : escapeEntities(url)
  }
  const resolved = withReferences(document, (target, kind) => {
    const { ref } = kind === 'include' ? resolveTarget({ target, kind, ...text }, content) : {}
    return ref?.kind === 'reusable-content' ? ref : { kind: 'url', url: urlOf(target, kind) ?? target }
  })
  return withRawTargets(withoutLinks(resolved, isBroken), urlOf)
}

/** A document for a visitor in which URLs of the application refer to their places; links that lead nowhere become text. */
export function withVisitedPlaces(document: JSONDocument, places: ReadonlyMap<string, VisitedPlace>): JSONDocument {
  const resolved = withReferences(document, (target, kind) => visitedReference(target, { kind, places }))
  return withoutLinks(resolved, isBroken)
}

/** The target of a URL of the application, for a visitor. */
export function visitedReference(
  target: string,
  { kind, places }: { kind: ReferenceKind; places: ReadonlyMap<string, VisitedPlace> },
): DocumentRef {
  // A page includes nothing of another space.
  if (kind === 'include') return { kind: 'reusable-content', reusableContent: brokenReference }
  return places.get(decodeEntities(target).trim())?.ref ?? { kind: 'url', url: brokenReference }
}

/** A target as a URL of the application that names no content that the reader sees of the space; undefined for any other target. */
export function unresolvedApplicationUrl(target: WrittenTarget, content: ContentLookup): string | undefined {
  const { status, ref } = resolveTarget(target, content)
  return ref && status !== 'in-app' ? undefined : asApplicationUrl(target.target, content)
}

/** Returns the target without entities and surrounding blanks when it is a URL of the application; undefined for any other target. */
function asApplicationUrl(target: string, { publicUrl }: Pick<ContentLookup, 'publicUrl'>): string | undefined {
  const url = decodeEntities(target).trim()
  return isApplicationUrl(url, publicUrl) ? url : undefined
}

/** A document for a visitor, in which links that lead nowhere become text. */
export function withoutBrokenLinks(document: JSONDocument): JSONDocument {
  return withoutLinks(document, isBroken)
}

function isBroken(ref: DocumentRef | undefined): boolean {
  return ref?.kind === 'url' && ref.url === brokenReference
}
