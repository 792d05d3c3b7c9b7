import type { JSONDocument } from '@recto/markdown/schema'
import type { AnswerEvent } from '../api/types.ts'
import type { AnswerView } from '../layout/ask-page.tsx'
import type { SiteRequest, SiteTools } from '../layout/site-request.ts'
import { bodyPlace } from '../layout/view.ts'
import { askSite } from '../loaders/ask-site.ts'
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

/** Asks a question and renders its answer: each is whole so far, the last one has its end. Throws as `askSite` does. */
export async function* readAnswer({ question, request, tools, signal }: AskCall): AsyncGenerator<AnswerView, void> {
  const events = askSite({ question, format: 'document', signal, timeout }, { site: request.site, api: tools.api })
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
