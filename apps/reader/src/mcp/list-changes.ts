import { ToolFailure, zodTool, type McpTool } from '@recto/mcp'
import { z } from 'zod'
import { ApiFailure } from '../api/api-client.ts'
import type { ContentChanges } from '../api/types.ts'
import { canonicalUrl } from '../layout/page.tsx'
import type { OpenedSite } from '../loaders/open-site.ts'
import { readChanges } from '../loaders/read-changes.ts'
import { openSpace } from './read-page.ts'
import type { Visit } from './visit.ts'

/** Characters of ids, addresses and cursors. */
const maxText = 2_000

const Changes = z.object({
  revision: z.string().describe('The revision that the changes lead to: ask since it the next time'),
  changes: z.array(
    z.object({
      change: z.enum(['created', 'edited', 'moved', 'removed']),
      page: z.string().describe('Id of the page'),
      title: z.string().optional(),
      address: z.string().optional(),
    }),
  ),
  everyPage: z.boolean().describe('Whether the text of every page can have changed, since values in it have'),
  nextCursor: z.string().optional(),
})

/** The tool that tells an agent which of the pages it has read are not current any more. */
export function changesTool(visit: Visit): McpTool {
  return zodTool({
    name: 'listChanges',
    title: 'List what changed',
    description:
      'Lists the pages of a section or variant that were created, edited, moved or removed since a revision, which getPage and listPages name. Read the listed pages again; all others are current.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.object({
      since: z.string().min(1).max(maxText).describe('Id of the revision that was read'),
      space: z
        .string()
        .min(1)
        .max(maxText)
        .optional()
        .describe('Address of a section or variant; the one that is connected unless given'),
      cursor: z.string().max(maxText).optional().describe('`nextCursor` of the answer before, with the same input'),
    }),
    output: Changes,
    run: async ({ since, space, cursor }) => {
      const site = space === undefined ? visit.site : await openSpace(space, visit)
      const part = await readChanges(site, { since, page: cursor }, visit.reads).catch(unlessUnknown)
      const { until, items, next } = part
      const data: z.output<typeof Changes> = {
        revision: until,
        changes: items.flatMap(item => changeOf(item, site)),
        everyPage: items.some(({ type }) => type === 'variables_edited'),
        ...(next && { nextCursor: next.page }),
      }
      return { text: JSON.stringify(data), data }
    },
  })
}

/** Throws a `ToolFailure` for a revision that the space never had; passes on any other failure. */
function unlessUnknown(error: unknown): never {
  if (error instanceof ApiFailure && error.status === 404)
    throw new ToolFailure('The section was never at this revision, or not for long enough: list its pages instead')
  throw error
}

const names = {
  page_created: 'created',
  page_edited: 'edited',
  page_moved: 'moved',
  page_removed: 'removed',
  page_deleted: 'removed',
} as const

function changeOf(item: ContentChanges['items'][number], site: OpenedSite): z.output<typeof Changes>['changes'] {
  if (!('page' in item)) return []
  const { id } = item.page
  const page = site.tree.byId.get(id)?.page
  // Groups and links are no pages to read.
  if (!page && names[item.type] !== 'removed') return []
  const address = page && canonicalUrl({ site }, page)
  return [
    {
      change: names[item.type],
      page: id,
      ...(page && { title: page.title }),
      ...(address !== undefined && { address }),
    },
  ]
}
