import type { SiteFeature, SiteRequest, SiteTools } from '../layout/site-request.ts'
import { renderChanges } from '../layout/changes-page.tsx'
import { excludesAgents } from '../loaders/open-site.ts'
import { urlOfPage } from '../loaders/read-markdown.ts'
import { encodePath } from '../addresses/site-links.rules.ts'
import { listedSpaces } from '../markdown/listed-spaces.ts'
import { listItem } from '../markdown/llms-text.rules.ts'
import { pageCaching } from '../responses/caching.rules.ts'
import { textAnswer, type PageResponse } from '../responses/page-response.ts'
import { changesByDay, recentChanges, type ChangedPage } from './recent-changes.rules.ts'

/** Pages that a list of changes has. */
const maxChanges = 200

/** The pages that changed last, at `~/changes`: as a page, and as Markdown for who prefers it. */
export const changesFeature: SiteFeature = (request, tools) =>
  request.site.path === '~/changes' ? answerChanges(request, tools) : undefined

async function answerChanges(request: SiteRequest, tools: SiteTools): Promise<PageResponse> {
  const { site, view, prefersMarkdown } = request
  const spaces = await listedSpaces(request, tools)
  const days = changesByDay(recentChanges(spaces, maxChanges))
  const headers = { 'cache-control': pageCaching(false), vary: 'Accept' }
  if (prefersMarkdown && !excludesAgents(site)) return textAnswer('text/markdown', markdownOf(days, request), headers)
  const place = ({ space }: ChangedPage) => (spaces.length > 1 ? space.title : undefined)
  const listedDays = [...days].map(([day, changes]): [string, ReturnType<typeof listed>[]] => [
    day,
    changes.map(change => listed(change, place(change))),
  ])
  const html = renderChanges(view, { days: new Map(listedDays), feed: `${site.links.space}rss.xml` })
  return textAnswer('text/html', html, headers)
}

function listed({ page, space }: ChangedPage, place: string | undefined) {
  const isHome = page.id === space.tree.home?.page.id
  const href = new URL(space.address).pathname + (isHome ? '' : encodePath(page.path))
  return { href, title: page.title, description: page.description, place }
}

function markdownOf(days: ReadonlyMap<string, readonly ChangedPage[]>, { site, view }: SiteRequest): string {
  const parts = [...days].map(([day, changes]) => {
    const lines = changes.map(({ page, space, changedAt }) => {
      const item = listItem({ title: page.title, url: urlOfPage(page, space, site) })
      return `${item}, ${changedAt.toISOString()}, revision \`${space.revision.id}\``
    })
    return `## ${day}\n\n${lines.join('\n')}`
  })
  return `${[`# ${view.title} – ${view.t('recentChanges')}`, ...parts].join('\n\n')}\n`
}
