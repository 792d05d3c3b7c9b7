import { eventStream } from '@recto/operation'
import { ApiFailure } from '../api/api-client.ts'
import { renderAnswer, renderAsk, type AnswerView } from '../layout/ask-page.tsx'
import type { SiteFeature, SiteRequest, SiteTools } from '../layout/site-request.ts'
import { answersQuestions } from '../layout/view.ts'
import { maxQueryLength } from '../loaders/search-site.ts'
import { textAnswer, type PageResponse } from '../responses/page-response.ts'
import { createRequestLimit, type RequestLimit } from '../responses/request-limit.ts'
import { faultOf, isFromOwnPage, isPrefetch, questionIn } from './ask.rules.ts'
import { readAnswer, type AskCall } from './read-answer.ts'
import { createSuggestions, type ReadSuggestions } from './suggestions.ts'

/** Nothing on the way keeps, changes or collects an answer. */
const noStore = { 'cache-control': 'private, no-store, no-transform', 'x-robots-tag': 'noindex' }

/**
 * Creates the page on which visitors ask questions, at `~recto/ask`. Only a form that a page of the site sends asks: a link, a crawler or a
 * page that is loaded ahead costs nothing. A script gets the same answer as events, while it is written.
 */
export function askFeature({ perMinute }: { perMinute: number }): SiteFeature {
  const limit = createRequestLimit(perMinute)
  const suggestions = createSuggestions()
  return (request, tools) => {
    if (request.site.path !== '~recto/ask' || !answersQuestions(request.view)) return undefined
    return request.method === 'POST'
      ? answerQuestion(request, { tools, limit })
      : answerPage(request, { tools, limit, suggestions })
  }
}

async function answerPage(
  { site, view, query, headers, visitorAddress }: SiteRequest,
  { tools, limit, suggestions }: { tools: SiteTools; limit: RequestLimit; suggestions: ReadSuggestions },
): Promise<PageResponse> {
  const mayRead = () => !isPrefetch(headers) && limit.take(visitorAddress ?? '') === undefined
  const page = { question: questionIn(query), suggestions: await suggestions({ site, api: tools.api, mayRead }) }
  return textAnswer('text/html', renderAsk(view, page), noStore)
}

async function answerQuestion(
  request: SiteRequest,
  { tools, limit }: { tools: SiteTools; limit: RequestLimit },
): Promise<PageResponse> {
  const { headers, site, view, visitorAddress } = request
  if (!isFromOwnPage(headers, [request.origin, new URL(site.lookup.canonicalUrl).origin]))
    throw new ApiFailure(403, 'Pages of other origins may not ask questions of this site')
  const question = questionIn(new URLSearchParams(request.body))
  if (question === '') return textAnswer('text/html', renderAsk(view, { question }), noStore)
  if (question.length > maxQueryLength)
    return refuse(request, { question, status: 400, fault: view.t('askTooLong', { max: maxQueryLength }) })
  // A request that is sent again by the reader itself is the same one.
  const wait = request.isRepeated ? undefined : limit.take(visitorAddress ?? '')
  if (wait !== undefined) {
    const refusal = refuse(request, { question, status: 429, fault: view.t('askTooMany') })
    return { ...refusal, headers: { ...refusal.headers, 'retry-after': String(wait) } }
  }
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, ...(request.signal ? [request.signal] : [])])
  const call = { question, request, tools, signal }
  return isStream(request) ? streamAnswer(call, () => gone.abort()) : answerWhole(call)
}

function isStream({ headers }: SiteRequest): boolean {
  return headers['accept']?.includes(eventStream) === true
}

interface Refusal {
  question: string
  fault: string
  status: number
}

/** Says why there is no answer, in the form that was asked for; the question stays in its field. */
function refuse(request: SiteRequest, { question, fault, status }: Refusal): PageResponse {
  const answer = { question: '', html: '', fault }
  const { view } = request
  if (!isStream(request)) return { ...textAnswer('text/html', renderAsk(view, { question, answer }), noStore), status }
  return { ...textAnswer(eventStream, eventOf(request, answer, true), noStore), status }
}

/** The refusal of the API in words of the reader; throws what is no matter of the question, such as a token that has ended. */
function refusalOf(error: unknown, { question, request }: AskCall): Refusal {
  if (!(error instanceof ApiFailure) || [401, 403, 404].includes(error.status)) throw error
  const { text, status } = faultOf(error.status)
  return { question, status, fault: request.view.t(text) }
}

async function answerWhole(call: AskCall): Promise<PageResponse> {
  const { question, request } = call
  let answer: AnswerView | undefined
  try {
    for await (answer of readAnswer(call));
  } catch (error) {
    return refuse(request, refusalOf(error, call))
  }
  if (!answer) return refuse(request, refusalOf(new ApiFailure(503, 'There is no answer'), call))
  return textAnswer('text/html', renderAsk(request.view, { question, answer }), noStore)
}

/** Answers with events once there is a first one, so that a refusal is an ordinary answer; `stop` ends the request of the API. */
async function streamAnswer(call: AskCall, stop: () => void): Promise<PageResponse> {
  const { request } = call
  const answers = readAnswer(call)
  let next: IteratorResult<AnswerView, void>
  try {
    next = await answers.next()
  } catch (error) {
    return refuse(request, refusalOf(error, call))
  }
  const encoder = new TextEncoder()
  let last: AnswerView = { question: call.question, html: '' }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next.done) return controller.close()
        last = next.value
        controller.enqueue(encoder.encode(eventOf(request, last, last.end !== undefined)))
        try {
          next = await answers.next()
        } catch {
          if (call.signal.aborted) return
          const failed = { ...last, fault: request.view.t('askFailed') }
          controller.enqueue(encoder.encode(eventOf(request, failed, true)))
          controller.close()
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': `${eventStream}; charset=utf-8`, 'x-accel-buffering': 'no', ...noStore }
  return { status: 200, headers, body }
}

/** An answer as an event: its HTML, and whether it is the last one. */
function eventOf({ view }: SiteRequest, answer: AnswerView, isLast: boolean): string {
  return `data: ${JSON.stringify({ html: renderAnswer(view, answer), isLast })}\n\n`
}
