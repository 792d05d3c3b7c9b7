import { type JSONDocument, withRawTargets, withReferences } from '@recto/markdown'
import type { ContentLookup } from './content-lookup.ts'
import { resolveTarget, type WrittenTarget } from './resolve-target.ts'
import { asWritten, visitorTarget, type VisitorLinks } from './visitor-links.rules.ts'

/** A document as a visitor gets it, from one that was read with references as they are written: URLs that they can open, and ids of reusable contents that stand in it. */
export function withVisitorLinks(
  document: JSONDocument,
  text: Pick<WrittenTarget, 'page' | 'file'>,
  { content, links }: { content: ContentLookup; links: VisitorLinks },
): JSONDocument {
  const urlOf = (target: string, kind: string) => {
    const url = visitorTarget(resolveTarget({ target, kind, ...text }, content), kind, links)
    return url === undefined ? undefined : asWritten(url)
  }
  const resolved = withReferences(document, (target, kind) => {
    const { ref } = kind === 'include' ? resolveTarget({ target, kind, ...text }, content) : {}
    return ref?.kind === 'reusable-content' ? ref : { kind: 'url', url: urlOf(target, kind) ?? target }
  })
  return withRawTargets(resolved, urlOf)
}
