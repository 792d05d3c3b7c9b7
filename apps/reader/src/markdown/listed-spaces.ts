import { ApiFailure } from '../api/api-client.ts'
import { sectionsOf, siteSpacesOf } from '../addresses/site-links.rules.ts'
import type { SiteRequest, SiteTools } from '../layout/site-request.ts'
import { pageTree, withHome } from '../loaders/page-tree.rules.ts'
import type { SpaceOfPages } from '../loaders/read-markdown.ts'
import { readRevisionOf } from '../loaders/targets.ts'

/** A space of a site, as lists for agents name it. */
export interface ListedSpace extends SpaceOfPages {
  /** The title of its section. */
  title: string
}

/**
 * The spaces that a list at an address has: at the beginning of a published site the default variant of each section, elsewhere the space
 * that the address leads to. A section that the visitor may not read is left out.
 */
export async function listedSpaces(request: SiteRequest, { reads }: Pick<SiteTools, 'reads'>): Promise<ListedSpace[]> {
  const { site, origin } = request
  const { siteSpace, revision, tree, links } = site
  const own = { siteSpace, revision, tree, address: `${origin}${links.space}` }
  const sections = isBeginning(request) ? sectionsOf(site.published) : []
  if (sections.length === 0) return [{ ...own, title: siteSpace.title }]
  const spaces = await Promise.all(
    sections.map(async ({ title, siteSpaces }): Promise<ListedSpace | undefined> => {
      const standard = siteSpaces.find(variant => variant.default)
      if (!standard) return undefined
      if (standard.id === siteSpace.id) return { ...own, title }
      const readable = await readRevisionOf(standard, { site, reads }).catch(unlessClosed)
      if (!readable) return undefined
      const spaceTree = withHome(pageTree(readable), standard.pageId)
      const address = `${origin}${links.below(standard)}`
      return { title, siteSpace: standard, revision: readable, tree: spaceTree, address }
    }),
  )
  return spaces.filter(space => space !== undefined)
}

/** The other variants of a site, with the addresses of their lists; at the beginning of a published site only. */
export function listedVariants(request: SiteRequest): { title: string; url: string }[] {
  const { site, origin } = request
  if (!isBeginning(request)) return []
  const variants = siteSpacesOf(site.published).filter(({ default: isDefault }) => !isDefault)
  return variants.map(variant => ({
    title: variant.title,
    url: `${origin}${site.links.below(variant)}llms.txt`,
  }))
}

/** Whether a request is for what stands at the beginning of a site, and not in one of its sections, variants or previews. */
function isBeginning({ site: { links, lookup } }: SiteRequest): boolean {
  return links.space === links.root && lookup.changeRequest === undefined && lookup.revision === undefined
}

function unlessClosed(error: unknown): undefined {
  if (error instanceof ApiFailure && (error.status === 403 || error.status === 404)) return undefined
  throw error
}
