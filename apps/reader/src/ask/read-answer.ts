import type { JSONDocument } from '@recto/markdown/schema'
import type { AnswerEvent } from '../api/types.ts'
import type { AnswerView } from '../layout/ask-page.tsx'
import type { SiteRequest, SiteTools } from '../layout/site-request.ts'
import { bodyPlace } from '../layout/view.ts'
import { isUnknown } from './ask.rules.ts'
import { linkSources } from './link-sources.ts'

/** Milliseconds for an answer: more than an engine has by default, less than a browser waits. */
const timeout = 90_000

/** A question of a visitor. */
export interface AskCall {
  question: string
  request: SiteRequest
  tools: SiteTools
  signal: AbortSignal
}

/**
 * Asks the API with the token of the visitor: each answer is whole so far, the last one has its end. Throws as the API refuses, and where
 * the answer breaks off.
 */
export async function* readAnswer({ question, request, tools, signal }: AskCall): AsyncGenerator<AnswerView, void> {
  const { organization, site, siteSpace, apiToken: token } = request.site.lookup
  const events = tools.api.events<AnswerEvent>({
    method: 'POST',
    path: `/orgs/${organization}/sites/${site}/ask`,
    query: { format: 'document' },
    body: { question, scope: { mode: 'default', currentSiteSpace: siteSpace } },
    token,
    signal,
    timeout,
  })
  let last: AnswerEvent['answer'] | undefined
  let html = ''
  for await (const { answer } of events) {
    last = answer
    html = await htmlOf(answer, { request, tools })
    yield { question, html }
  }
  if (!last) return
  const sources = await linkSources(last.sources, { question, request, reads: tools.reads })
  yield { question, html, end: { sources, followupQuestions: last.followupQuestions } }
}

function htmlOf(
  { answer }: AnswerEvent['answer'],
  { request: { view }, tools }: Pick<AskCall, 'request' | 'tools'>,
): Promise<string> | '' {
  if (!answer || !('document' in answer) || isUnknown(answer.document as JSONDocument)) return ''
  return tools.bodies.write(answer.document as JSONDocument, bodyPlace(view))
}
