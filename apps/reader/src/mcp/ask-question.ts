import { ToolFailure, zodTool, type McpTool } from '@recto/mcp'
import { z } from 'zod'
import type { AnswerEvent, AnswerSource } from '../api/types.ts'
import { askSite, readSourcePage } from '../loaders/ask-site.ts'
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
  let event: AnswerEvent | undefined
  for await (event of askSite({ question, format: 'markdown', signal, timeout }, visit));
  if (!event) throw new ToolFailure('There is no answer at the moment')
  const { answer = { markdown: '' }, sources, followupQuestions } = event.answer
  const pages = await Promise.all(sources.map(source => describe(source, visit)))
  return { answer: 'markdown' in answer ? answer.markdown : '', sources: pages.flat(), followupQuestions }
}

/** The title and the address of a source; none for one that the visitor does not see any more. */
async function describe(source: AnswerSource, visit: Visit): Promise<z.output<typeof Answer>['sources']> {
  const place = await readSourcePage(source, visit)
  if (!place) return []
  const { title, path } = place.page
  return [{ title, address: publishedUrl(place.siteSpace, path) ?? path, revision: source.revision }]
}
