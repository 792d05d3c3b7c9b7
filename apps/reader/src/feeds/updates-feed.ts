import { Feed } from 'feed'
import type { DocumentPage } from '../api/types.ts'
import { feedHref, type ReadBody } from '../loaders/read-body.ts'
import { canonicalUrl } from '../layout/page.tsx'
import type { SiteRequest } from '../layout/site-request.ts'
import { withoutControls } from './xml-text.rules.ts'

/** The updates that a page has, the newest first (RSS 2.0). */
export function updatesFeed(page: DocumentPage, { updates }: ReadBody, request: SiteRequest): string {
  const { site, view, origin } = request
  const link = canonicalUrl(request, page) ?? `${origin}${site.links.ofPage(page.path)}`
  const items = updates.map(update => ({ ...update, at: new Date(update.date) }))
  items.sort((a, b) => b.at.getTime() - a.at.getTime())
  const [newest] = items
  const feed = new Feed({
    id: link,
    link,
    title: `${page.title} – ${view.title}`,
    copyright: '',
    description: page.description || page.title,
    language: view.language,
    ...(newest && { updated: newest.at }),
    feedLinks: { rss: `${origin}${feedHref(page, site)}` },
  })
  for (const { id, at, title, text, tags } of items) {
    const url = `${link}#${encodeURIComponent(id)}`
    const category = tags.map(name => ({ name }))
    feed.addItem({ id: url, link: url, title, date: at, category, ...(text !== '' && { description: text }) })
  }
  return withoutControls(feed.rss2())
}
