import type { PageMetaLinks } from '@recto/contracts-shared'
import { encodeEntities } from '@recto/markdown'
import type { DocumentRef } from '@recto/markdown/schema'
import type { z } from 'zod'
import type { PageRecord } from '../revisions/records.ts'
import type { ContentLookup } from './content-lookup.ts'
import { referenceOf } from './named-target.rules.ts'
import type { PageIndex } from './page-tree.ts'
import { pageFile } from './repository-files.ts'
import type { WrittenTarget } from '@recto/repository-content'
import type { VisitedPlace } from './visited-place.rules.ts'
import { unresolvedApplicationUrl, visitedReference } from './visitor-document.ts'

type Presented = z.input<typeof PageMetaLinks>
type Target = NonNullable<Presented['canonical']>

interface Places {
  content?: ContentLookup
  places?: ReadonlyMap<string, VisitedPlace>
}

/** The targets of a page's meta links, seen from its file. */
export function metaLinkTargets(
  page: Pick<PageRecord, 'id' | 'git' | 'file' | 'metaLinks'>,
  index: Pick<PageIndex, 'pathOf'>,
): WrittenTarget[] {
  const { canonical, alternates = [] } = page.metaLinks ?? {}
  const file = pageFile(page) ?? `${index.pathOf(page.id)}.md`
  return [...(canonical === undefined ? [] : [canonical]), ...alternates].map(target =>
    writtenTarget(target, page, file),
  )
}

/**
 * The meta links of a page, as a field of a reply. A target is a page, or a URL outside of the application; one that leads to nothing that
 * the caller sees is left out.
 */
export function presentMetaLinks(
  page: PageRecord,
  index: Pick<PageIndex, 'pathOf'>,
  { content, places }: Places,
): { metaLinks?: Presented } {
  if (!page.metaLinks || !content) return {}
  const file = pageFile(page) ?? `${index.pathOf(page.id)}.md`
  const presented = (target: string) =>
    targetOf(writtenTarget(target, page, file), { content, ...(places && { places }) })
  const canonical = page.metaLinks.canonical === undefined ? undefined : presented(page.metaLinks.canonical)
  const alternates = page.metaLinks.alternates?.flatMap(target => presented(target) ?? [])
  return { metaLinks: { ...(canonical && { canonical }), ...(alternates && { alternates }) } }
}

/** Front matter has no character references, which targets in Markdown have. */
function writtenTarget(target: string, { id }: Pick<PageRecord, 'id'>, file: string): WrittenTarget {
  return { target: encodeEntities(target), kind: 'link', page: id, file }
}

function targetOf(
  target: WrittenTarget,
  { content, places }: Required<Pick<Places, 'content'>> & Places,
): Target | undefined {
  const url = places && unresolvedApplicationUrl(target, content)
  if (places && url !== undefined) return asTarget(visitedReference(url, { kind: 'link', places }))
  return asTarget(referenceOf(target, content))
}

/** A page or a URL of the web; undefined for all else, which no meta link can lead to. */
function asTarget(ref: DocumentRef | undefined): Target | undefined {
  if (ref?.kind === 'page') return ref
  if (ref?.kind === 'url') return /^https?:\/\//i.test(ref.url) ? { kind: 'url', url: ref.url } : undefined
  const isOfPage = ref?.kind === 'anchor' && ref.page !== undefined
  return isOfPage
    ? { kind: 'page', page: ref.page ?? '', ...(ref.space !== undefined && { space: ref.space }) }
    : undefined
}
