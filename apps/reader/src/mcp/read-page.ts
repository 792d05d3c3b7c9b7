import { ToolFailure } from '@recto/mcp'
import { ApiFailure } from '../api/api-client.ts'
import type { DocumentPage } from '../api/types.ts'
import { canonicalUrl } from '../layout/page.tsx'
import type { OpenedSite } from '../loaders/open-site.ts'
import { readMarkdown } from '../loaders/read-markdown.ts'
import { readRedirection } from '../loaders/read-redirection.ts'
import { pathOfAddress } from './page-address.rules.ts'
import { openPath, type Visit } from './visit.ts'

/** A page that an address leads to, in the space that shows it. */
export interface FoundPage {
  site: OpenedSite
  page: DocumentPage
  /** Where the page is published. */
  url: string
}

/** Finds the page at an address, as a browser would be led to it. Throws a `ToolFailure` where there is none. */
export async function findPage(address: string, visit: Visit): Promise<FoundPage> {
  const first = await pageAt(address, visit)
  if ('site' in first) return first
  const moved = first.movedTo === undefined ? first : await pageAt(first.movedTo, visit)
  if ('site' in moved) return moved
  throw new ToolFailure(`There is no page at ${address.slice(0, 500)}: search for it, or list the pages`)
}

type PageOrRedirect = FoundPage | { movedTo: string | undefined }

async function pageAt(address: string, visit: Visit): Promise<PageOrRedirect> {
  const site = await openAddress(address, visit)
  const page = site.tree.at(site.path)?.treePage.page
  const url = page && canonicalUrl({ site }, page)
  if (page && url !== undefined) return { site, page, url }
  return { movedTo: (await readRedirection(site, visit))?.target }
}

/** Opens an address of the site. Throws a `ToolFailure` for one of another site, and for what the visitor does not see. */
export async function openAddress(address: string, visit: Visit): Promise<OpenedSite> {
  const { site, origin } = visit
  const path = pathOfAddress(address, { links: site.links, mountPath: visit.address.mountPath, origin })
  const siteThere = path === undefined ? undefined : await openPath(path, visit).catch(unlessRefused)
  if (!siteThere) throw new ToolFailure(`${address.slice(0, 500)} is no address of this site`)
  return siteThere
}

/** Opens the section or variant at an address of the site. Throws a `ToolFailure` for any other address. */
export async function openSpace(address: string, visit: Visit): Promise<OpenedSite> {
  const site = await openAddress(address, visit)
  if (site.path !== '') throw new ToolFailure(`${address.slice(0, 500)} is no address of a section or variant`)
  return site
}

/** Resolves to nothing for what the API does not let a visitor see; throws any other failure. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof ApiFailure && [403, 404].includes(error.status)) return undefined
  throw error
}

/** A page as Markdown, with its address, revision and last change below its title. */
export function textOfPage({ site, page }: FoundPage, { origin, reads }: Visit): Promise<string> {
  return readMarkdown(page, { ...site, address: `${origin}${site.links.space}` }, { site, reads })
}
