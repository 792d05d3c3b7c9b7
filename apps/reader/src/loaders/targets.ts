import type { DocumentRef } from '@recto/markdown/schema'
import type { Reads } from '../api/reads.ts'
import type { DocumentPage, File, Revision, SiteSpace, Space } from '../api/types.ts'
import { encodePath, siteSpacesOf } from '../addresses/site-links.rules.ts'
import { referenceKey, type Target } from '../blocks/index.ts'
import type { OpenedSite } from './open-site.ts'
import { pageTree, type PageTree } from './page-tree.rules.ts'

/** Another space of the site that a page refers to. */
interface OtherSpace {
  siteSpace: SiteSpace
  tree: PageTree
}

/** Finds where the references of a page lead; what the visitor may not see leads nowhere and has no entry. */
export async function resolveTargets(
  references: readonly DocumentRef[],
  { opened, reads, page }: { opened: OpenedSite; reads: Reads; page: DocumentPage },
): Promise<Record<string, Target>> {
  const others = await readOtherSpaces(references, { opened, reads })
  const resolved = references.map((ref): [string, Target | undefined] => [
    referenceKey(ref),
    targetOf(ref, { opened, others, page }),
  ])
  return Object.fromEntries(resolved.filter((entry): entry is [string, Target] => entry[1] !== undefined))
}

/** Reads the other spaces of the site that references name; one that cannot be read is left out. */
async function readOtherSpaces(
  references: readonly DocumentRef[],
  { opened, reads }: { opened: OpenedSite; reads: Reads },
): Promise<Map<string, OtherSpace>> {
  const named = new Set(references.flatMap(ref => ('space' in ref && ref.space !== undefined ? [ref.space] : [])))
  const shown = siteSpacesOf(opened.site).filter(({ space }) => space.id !== opened.space.id && named.has(space.id))
  const read = await Promise.allSettled(
    shown.map(async (siteSpace): Promise<[string, OtherSpace]> => [
      siteSpace.space.id,
      { siteSpace, tree: pageTree(await readRevisionOf(siteSpace, { opened, reads })) },
    ]),
  )
  // The first of several places where the site shows a space is the one that links lead to.
  return new Map(read.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])).reverse())
}

/** Reads the current revision of another space of the site. */
export async function readRevisionOf(
  { space: { id } }: SiteSpace,
  { opened: { found }, reads }: { opened: OpenedSite; reads: Reads },
): Promise<Revision> {
  const { apiToken: token, shareKey } = found
  const query = shareKey === undefined ? {} : { shareKey }
  const { revision } = await reads.fresh<Space>({ path: `/spaces/${id}`, query, token })
  return reads.immutable<Revision>({ path: `/spaces/${id}/revisions/${revision}`, query: { metadata: 'true' }, token })
}

interface Resolving {
  opened: OpenedSite
  others: ReadonlyMap<string, OtherSpace>
  page: DocumentPage
}

function targetOf(ref: DocumentRef, { opened, others, page }: Resolving): Target | undefined {
  switch (ref.kind) {
    case 'url':
      return { href: ref.url, title: ref.url, isExternal: !/^[/#]/.test(ref.url) }
    case 'file': {
      const file = opened.tree.fileById.get(ref.file)
      return file && fileTarget(file, opened)
    }
    case 'page':
      return pageTarget(ref, { opened, others, page })
    case 'anchor': {
      const target = pageTarget({ page: ref.page ?? page.id, space: ref.space }, { opened, others, page })
      return target && { ...target, href: `${target.href ?? ''}#${encodeURIComponent(ref.anchor)}` }
    }
    case 'space': {
      const siteSpace = siteSpacesOf(opened.site).find(({ space }) => space.id === ref.space)
      return siteSpace && { href: opened.links.ofSiteSpace(siteSpace), title: siteSpace.title }
    }
    case 'user':
    case 'collection':
    case 'reusable-content':
    case 'openapi':
      return undefined
  }
}

function pageTarget(
  { page: id, space }: { page: string; space?: string | undefined },
  { opened, others }: Resolving,
): Target | undefined {
  const other = space === undefined || space === opened.space.id ? undefined : others.get(space)
  if (space !== undefined && space !== opened.space.id && !other) return undefined
  const placed = (other?.tree ?? opened.tree).byId.get(id)
  if (!placed) return undefined
  const { title, description, emoji, icon, cover, path } = placed.page
  const href = other ? `${opened.links.ofSiteSpace(other.siteSpace)}${encodePath(path)}` : opened.links.ofPage(path)
  const file = !other && cover?.ref?.kind === 'file' ? opened.tree.fileById.get(cover.ref.file) : undefined
  return {
    ...{ href, title },
    ...(description !== undefined && { description }),
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(file && { cover: fileHref(file, opened) }),
  }
}

function fileTarget(file: File, opened: OpenedSite): Target {
  const { name, size, contentType, dimensions } = file
  return {
    href: fileHref(file, opened),
    title: name,
    file: { name, size, contentType, ...(dimensions && { dimensions }) },
  }
}

/** Where the reader serves a file of the revision. */
export function fileHref({ id, name }: File, { links }: OpenedSite): string {
  return `${links.own}files/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
}
