import { ToolFailure, zodTool, type McpTool } from '@recto/mcp'
import { z } from 'zod'
import { ApiFailure } from '../api/api-client.ts'
import type { SearchResult, SiteSpace, Space } from '../api/types.ts'
import { sectionsOf, siteSpacesOf } from '../addresses/site-links.rules.ts'
import { localizedText } from '../i18n/index.ts'
import { publishedUrl } from '../loaders/meta-links.ts'
import { maxQueryLength, searchSite } from '../loaders/search-site.ts'
import { siteSpaceOf, type OpenedSite } from '../loaders/open-site.ts'
import { customizationOf } from '../layout/view.ts'
import { askTool } from './ask-question.ts'
import { changesTool } from './list-changes.ts'
import { listPart } from './list-part.ts'
import { findPage, openSpace, textOfPage } from './read-page.ts'
import { feedbackTool } from './send-feedback.ts'
import { languageOf, type Visit } from './visit.ts'

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
/** Characters of an address. */
const maxAddress = 2_000

const address = z.string().min(1).max(maxAddress)
const lastChanged = z.string().optional()

/** The tools of a site, as its visitor sees it. Each reads through the visit and through nothing else. */
export function siteTools(visit: Visit, { userAgent }: { userAgent: string | undefined }): McpTool[] {
  const { published } = visit.site
  const answers = customizationOf(published, visit.site).ai.mode !== 'none'
  const tools = [
    searchTool(visit),
    ...(answers ? [askTool(visit)] : []),
    pageTool(visit),
    listTool(visit),
    changesTool(visit),
    feedbackTool(visit, { userAgent }),
  ]
  return tools.map(tool => ({ ...tool, call: (input, call) => tool.call(input, call).catch(inWords) }))
}

/** Says to the model what the API refuses. A token that has ended is for the reader to replace, not for the model. */
function inWords(error: unknown): never {
  if (error instanceof ApiFailure && error.status !== 401) throw new ToolFailure(error.message)
  throw error
}

const Hit = z.object({
  title: z.string(),
  address: z.string(),
  revision: z.string(),
  space: z.string(),
  sections: z.array(z.object({ title: z.string(), address: z.string(), text: z.string() })),
})

function searchTool(visit: Visit): McpTool {
  return zodTool({
    name: 'searchDocumentation',
    title: 'Search the documentation',
    description: 'Finds pages and their sections by words, the best first. Read a page by its address with getPage.',
    annotations: reading,
    input: z.object({ query: z.string().trim().min(1).max(maxQueryLength).describe('Words to find') }),
    output: z.object({ hits: z.array(Hit) }),
    run: async ({ query }) => {
      const data = { hits: await search(query, visit) }
      return { text: JSON.stringify(data), data }
    },
  })
}

async function search(query: string, visit: Visit): Promise<z.output<typeof Hit>[]> {
  const result = await searchSite(query, visit)
  const hits = result.items.map(item => hitsIn(item, visit))
  return (await Promise.all(hits)).flat()
}

async function hitsIn(
  { id, pages }: SearchResult['items'][number],
  { site, reads }: Visit,
): Promise<z.output<typeof Hit>[]> {
  const siteSpace = siteSpaceOf(id, site)
  if (!siteSpace) return []
  const revision = id === site.space.id ? site.revision.id : (await readSpace(id, { site, reads })).revision
  const addressOf = (hit: string) => {
    const [path = '', anchor] = hit.replace(/^\//, '').split('#')
    const url = publishedUrl(siteSpace, path) ?? path
    return anchor === undefined ? url : `${url}#${encodeURIComponent(anchor)}`
  }
  const space = titleOfSpace(siteSpace, site)
  return pages.map(({ title, path, sections }) => ({
    title,
    address: addressOf(path),
    revision,
    space,
    sections: sections.map(section => ({ title: section.title, address: addressOf(section.path), text: section.body })),
  }))
}

async function readSpace(id: string, { site: { lookup }, reads }: Pick<Visit, 'site' | 'reads'>): Promise<Space> {
  const { apiToken: token, shareKey } = lookup
  return reads.fresh<Space>({ path: `/spaces/${id}`, query: shareKey === undefined ? {} : { shareKey }, token })
}

function titleOfSpace({ title, localizedTitle }: SiteSpace, site: OpenedSite): string {
  return localizedText(title, localizedTitle, languageOf(site))
}

function pageTool(visit: Visit): McpTool {
  return zodTool({
    name: 'getPage',
    title: 'Read a page',
    description:
      'Reads a page as Markdown, after its title, its address, the id of the revision that was read, and when the page last changed.',
    annotations: reading,
    input: z.object({
      address: address.describe(
        'Address of the page, as other tools give it; or its path, from the root of the site with a slash before it, else from the section that is connected',
      ),
    }),
    run: async input => ({ text: await textOfPage(await findPage(input.address, visit), visit) }),
  })
}

const List = z.object({
  revision: z.string(),
  pages: z.array(
    z.object({
      title: z.string(),
      address: z.string(),
      description: z.string().optional(),
      below: z.array(z.string()).describe('The titles of what the page is in, from the root'),
      lastChanged,
    }),
  ),
  nextCursor: z.string().optional(),
  spaces: z
    .array(z.object({ title: z.string(), section: z.string().optional(), address: z.string(), isListed: z.boolean() }))
    .describe('The sections and variants of the site'),
})

function listTool(visit: Visit): McpTool {
  return zodTool({
    name: 'listPages',
    title: 'List pages',
    description:
      'Lists the pages of a section or variant of the site in the order of reading, and names the other sections and variants.',
    annotations: reading,
    input: z.object({
      space: address.optional().describe('Address of a section or variant; the one that is connected unless given'),
      cursor: z.string().max(maxAddress).optional().describe('`nextCursor` of the answer before, with the same space'),
    }),
    output: List,
    run: async ({ space, cursor }) => {
      const site = space === undefined ? visit.site : await openSpace(space, visit)
      const { pages, nextCursor } = listPart(site, cursor)
      const data: z.output<typeof List> = {
        revision: site.revision.id,
        pages: pages.map(({ page, above, url }) => ({
          title: page.title,
          address: url,
          ...(page.description && { description: page.description }),
          below: above.map(({ title }) => title),
          ...(page.updatedAt !== undefined && { lastChanged: page.updatedAt }),
        })),
        ...(nextCursor !== undefined && { nextCursor }),
        spaces: spacesOf(site),
      }
      return { text: JSON.stringify(data), data }
    },
  })
}

/** The sections and variants that the site shows to the visitor; hidden variants are not listed. */
function spacesOf(site: OpenedSite): z.output<typeof List>['spaces'] {
  const sections = sectionsOf(site.published)
  return siteSpacesOf(site.published).flatMap(siteSpace => {
    const url = publishedUrl(siteSpace, '')
    const isListed = siteSpace.id === site.siteSpace.id
    if (url === undefined || (siteSpace.hidden && !isListed)) return []
    const section = sections.find(({ siteSpaces }) => siteSpaces.some(({ id }) => id === siteSpace.id))
    return [
      {
        title: titleOfSpace(siteSpace, site),
        ...(section && { section: localizedText(section.title, section.localizedTitle, languageOf(site)) }),
        address: url,
        isListed,
      },
    ]
  })
}
