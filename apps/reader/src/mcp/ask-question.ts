import { ToolFailure, zodTool, type McpTool } from '@recto/mcp'
import type { AnswerEvent } from '@recto/contracts-shared'
import { z } from 'zod'
import { siteSpacesOf } from '../addresses/site-links.rules.ts'
import type { DocumentPage } from '../api/types.ts'
import { publishedUrl } from '../loaders/meta-links.ts'
import { maxQueryLength } from '../loaders/search-site.ts'
import type { Visit } from './visit.ts'

/** Milliseconds for an answer: less than a tool may take. */
const timeout = 28_000

const Answer = z.object({
  answer: z.string(),
  sources: z
    .array(z.object({ title: z.string(), address: z.string(), revision: z.string() }))
    .describe('The pages that the answer is from; without any, nothing supports it'),
  followupQuestions: z.array(z.string()),
})

/** The tool that answers a question from the pages that the visitor sees; for sites that have switched answers on. */
export function askTool(visit: Visit): McpTool {
  return zodTool({
    name: 'askQuestion',
    title: 'Ask a question',
    description:
      'Answers a question from the documentation, and names the pages that the answer is from. The answer is written by a language model: read its sources with getPage before you rely on it.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: z.object({ question: z.string().trim().min(1).max(maxQueryLength) }),
    output: Answer,
    run: async ({ question }, { signal }) => {
      const data = await ask(question, visit, signal)
      return { text: JSON.stringify(data), data }
    },
  })
}

async function ask(question: string, visit: Visit, signal: AbortSignal): Promise<z.output<typeof Answer>> {
  const { site, api } = visit
  const { organization, site: siteId, siteSpace, apiToken: token } = site.lookup
  const events = api.events<z.output<typeof AnswerEvent>>({
    method: 'POST',
    path: `/orgs/${organization}/sites/${siteId}/ask`,
    query: { format: 'markdown' },
    body: { question, scope: { mode: 'default', currentSiteSpace: siteSpace } },
    token,
    signal,
    timeout,
  })
  let event: z.output<typeof AnswerEvent> | undefined
  for await (event of events);
  if (!event) throw new ToolFailure('There is no answer at the moment')
  const { answer = { markdown: '' }, sources, followupQuestions } = event.answer
  const pages = await Promise.all(sources.map(source => describe(source, visit)))
  return { answer: 'markdown' in answer ? answer.markdown : '', sources: pages.flat(), followupQuestions }
}

type Source = z.output<typeof AnswerEvent>['answer']['sources'][number]

/** The title and the address of a source; none for a space that the site does not show any more. */
async function describe(
  { space, revision, page }: Source,
  { site, reads }: Visit,
): Promise<z.output<typeof Answer>['sources']> {
  const siteSpace =
    space === site.space.id ? site.siteSpace : siteSpacesOf(site.published).find(each => each.space.id === space)
  if (!siteSpace) return []
  const { title, path } = await reads.immutable<DocumentPage>({
    path: `/spaces/${space}/revisions/${revision}/page/${page}`,
    query: { format: 'document' },
    token: site.lookup.apiToken,
  })
  return [{ title, address: publishedUrl(siteSpace, path) ?? path, revision }]
}
