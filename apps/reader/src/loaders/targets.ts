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
  { site, reads, page }: { site: OpenedSite; reads: Reads; page: DocumentPage },
): Promise<Record<string, Target>> {
  const others = await readOtherSpaces(references, { site, reads })
  const resolved = references.map((ref): [string, Target | undefined] => [
    referenceKey(ref),
    targetOf(ref, { site, others, page }),
  ])
  return Object.fromEntries(resolved.filter((entry): entry is [string, Target] => entry[1] !== undefined))
}

/** Reads the other spaces of the site that references name; one that cannot be read is left out. */
async function readOtherSpaces(
  references: readonly DocumentRef[],
  { site, reads }: { site: OpenedSite; reads: Reads },
): Promise<Map<string, OtherSpace>> {
  const spaceIds = new Set(references.flatMap(ref => ('space' in ref && ref.space !== undefined ? [ref.space] : [])))
  const otherSiteSpaces = siteSpacesOf(site.published).filter(
    ({ space }) => space.id !== site.space.id && spaceIds.has(space.id),
  )
  const read = await Promise.allSettled(
    otherSiteSpaces.map(async (siteSpace): Promise<[string, OtherSpace]> => [
      siteSpace.space.id,
      { siteSpace, tree: pageTree(await readRevisionOf(siteSpace, { site, reads })) },
    ]),
  )
  // The first of several places where the site shows a space is the one that links lead to.
  return new Map(read.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])).reverse())
}

/** Reads the current revision of another space of the site. */
export async function readRevisionOf(
  { space: { id } }: SiteSpace,
  { site: { lookup }, reads }: { site: OpenedSite; reads: Reads },
): Promise<Revision> {
  const { apiToken: token, shareKey } = lookup
  const query = shareKey === undefined ? {} : { shareKey }
  const { revision } = await reads.fresh<Space>({ path: `/spaces/${id}`, query, token })
  return reads.immutable<Revision>({ path: `/spaces/${id}/revisions/${revision}`, query: { metadata: 'true' }, token })
}

interface Resolving {
  site: OpenedSite
  others: ReadonlyMap<string, OtherSpace>
  page: DocumentPage
}

function targetOf(ref: DocumentRef, { site, others, page }: Resolving): Target | undefined {
  switch (ref.kind) {
    case 'url':
      return { href: ref.url, title: ref.url, isExternal: !/^[/#]/.test(ref.url) }
    case 'file': {
      const file = site.tree.fileById.get(ref.file)
      return file && fileTarget(file, site)
    }
    case 'page':
      return pageTarget(ref, { site, others, page })
    case 'anchor': {
      const target = pageTarget({ page: ref.page ?? page.id, space: ref.space }, { site, others, page })
      return target && { ...target, href: `${target.href ?? ''}#${encodeURIComponent(ref.anchor)}` }
    }
    case 'space': {
      const siteSpace = siteSpacesOf(site.published).find(({ space }) => space.id === ref.space)
      return siteSpace && { href: site.links.ofSiteSpace(siteSpace), title: siteSpace.title }
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
  { site, others }: Resolving,
): Target | undefined {
  const other = space === undefined || space === site.space.id ? undefined : others.get(space)
  if (space !== undefined && space !== site.space.id && !other) return undefined
  const treePage = (other?.tree ?? site.tree).byId.get(id)
  if (!treePage) return undefined
  const { title, description, emoji, icon, cover, path } = treePage.page
  const href = other ? `${site.links.below(other.siteSpace)}${encodePath(path)}` : site.links.ofPage(path)
  const file = !other && cover?.ref?.kind === 'file' ? site.tree.fileById.get(cover.ref.file) : undefined
  return {
    href,
    title,
    ...(description !== undefined && { description }),
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(file && { cover: fileHref(file, site) }),
  }
}

function fileTarget(file: File, site: OpenedSite): Target {
  const { name, size, contentType, dimensions } = file
  return {
    href: fileHref(file, site),
    title: name,
    file: { name, size, contentType, ...(dimensions && { dimensions }) },
  }
}

/** Where the reader serves a file of the revision. */
export function fileHref({ id, name }: File, { links }: OpenedSite): string {
  return `${links.own}files/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
}
