import type { SiteFeature } from '../layout/site-request.ts'
import { redirectAnswer } from '../responses/page-response.ts'

/** Leads to a page by its id: links of the customization name pages of other spaces by it. */
export const pageByIdFeature: SiteFeature = ({ opened }) => {
  const [, id] = /^~recto\/page\/([\w-]+)$/.exec(opened.path) ?? []
  const placed = id === undefined ? undefined : opened.tree.byId.get(id)
  return placed && Promise.resolve(redirectAnswer(opened.links.ofPage(placed.page.path)))
}
