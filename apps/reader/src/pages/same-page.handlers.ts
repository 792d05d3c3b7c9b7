import { samePagePath } from '../layout/variants.rules.ts'
import type { SiteFeature } from '../layout/site-request.ts'
import { redirectResponse } from '../responses/page-response.ts'

/** Leads to the page that another variant has at a path or by an id, and to the start of this variant where there is none. */
export const samePageFeature: SiteFeature = ({ site: { path, tree, links }, search }) => {
  if (!path.startsWith(`${samePagePath}/`)) return undefined
  const [id = '', ...pagePath] = path.slice(samePagePath.length + 1).split('/')
  const treePage = tree.byId.get(id) ?? tree.at(pagePath.join('/'))?.treePage
  const target = treePage ? links.ofPage(treePage.page.path) : links.space
  return Promise.resolve(redirectResponse(`${target}${search}`))
}
