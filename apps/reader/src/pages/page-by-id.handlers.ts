import type { SiteFeature } from '../layout/site-request.ts'
import { redirectResponse } from '../responses/page-response.ts'

/** Leads to a page by its id: links of the customization name pages of other spaces by it. */
export const pageByIdFeature: SiteFeature = ({ site, search }) => {
  const [, id] = /^~recto\/page\/([\w-]+)$/.exec(site.path) ?? []
  const treePage = id === undefined ? undefined : site.tree.byId.get(id)
  return treePage && Promise.resolve(redirectResponse(`${site.links.ofPage(treePage.page.path)}${search}`))
}
