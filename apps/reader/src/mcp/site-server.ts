import { ToolFailure, type McpResources, type McpServer } from '@recto/mcp'
import { countEvent } from '../events/count-event.ts'
import { publishedBase } from '../loaders/meta-links.ts'
import { listPart } from './list-part.ts'
import { findPage, textOfPage } from './read-page.ts'
import { siteTools } from './tools.ts'
import { languageOf, titleOf, type Visit } from './visit.ts'

const markdown = 'text/markdown'

/** The server of a site for the client of a visitor. What it reads is counted as an event of the site, once for a request. */
export function siteServer(visit: Visit, { userAgent }: { userAgent: string | undefined }): McpServer {
  const title = titleOf(visit.site)
  const { tools, resources } = { tools: siteTools(visit, { userAgent }), resources: pageResources(visit) }
  return {
    name: 'documentation',
    title,
    version: '1',
    instructions: `The documentation “${title}”. Search it, then read the pages that fit, and name their addresses as sources.`,
    tools: tools.map(tool => ({
      ...tool,
      call(input, call) {
        count(visit)
        return tool.call(input, call)
      },
    })),
    resources: {
      ...resources,
      read(uri, call) {
        count(visit)
        return resources.read(uri, call)
      },
    },
  }
}

/** Counts a request; that it cannot be counted is no reason not to answer it. */
function count({ site, visitor, api }: Visit): void {
  const place = { site, page: null, language: languageOf(site), visitorAddress: visitor.address, api }
  countEvent({ type: 'mcp_request' }, { ...place, displayContext: 'mcp' }).catch(() => undefined)
}

/** The pages of the space that is connected; any page of the site is read by its address. */
function pageResources(visit: Visit): McpResources {
  const { site } = visit
  const root = publishedBase(site.siteSpace)
  return {
    list(cursor) {
      const { pages, nextCursor } = listPart(site, cursor)
      const resources = pages.map(({ page, url }) => ({
        uri: url,
        name: page.path,
        title: page.title,
        ...(page.description && { description: page.description }),
        mimeType: markdown,
        ...(page.updatedAt !== undefined && { annotations: { lastModified: page.updatedAt } }),
      }))
      return Promise.resolve({ resources, ...(nextCursor !== undefined && { nextCursor }) })
    },
    templates:
      root === undefined
        ? []
        : [
            {
              uriTemplate: `${root}{+path}`,
              name: 'page',
              title: 'Page',
              description: 'A page by its path, as Markdown',
              mimeType: markdown,
            },
          ],
    async read(uri) {
      if (!/^https?:/i.test(uri)) return undefined
      try {
        return { uri, mimeType: markdown, text: await textOfPage(await findPage(uri, visit), visit) }
      } catch (error) {
        if (error instanceof ToolFailure) return undefined
        throw error
      }
    },
  }
}
