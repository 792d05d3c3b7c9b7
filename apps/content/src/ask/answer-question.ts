import { createId } from '@recto/operation'
import type { Answer, AnswerEvent } from '@recto/contracts-shared'
import type { JSONDocument } from '@recto/markdown/schema'
import type { z } from 'zod'
import { orFallback } from '../documents/parse-once.ts'
import { emptyDocument } from '../documents/documents.ts'
import type { Context } from '../shared/context.ts'
import { readReply, type ReadReply } from './answer.rules.ts'
import type { Asker } from './asker.ts'
import { cleanDocument } from './clean-document.rules.ts'
import { type Prompt, questionMessages } from './prompt.rules.ts'
import type { Retrieval } from './retrieve.ts'

type Event = z.input<typeof AnswerEvent>
type Format = 'document' | 'markdown'

/** A question with what was found for it. */
export interface OpenQuestion extends Pick<Prompt, 'question' | 'previous' | 'goal' | 'instructions'> {
  organizationId: string
  format: Format
  /** Finds what answers it, as the caller sees it. */
  retrieve(): Promise<Retrieval[]>
}

type Tools = Pick<Context, 'db' | 'markdown' | 'signal'>

/** Milliseconds between two events of an answer: each has the whole answer so far. */
const eventTime = 200
/** The answer where nothing is found; the engine is not asked. */
const unknownAnswer = 'I do not know: no page matches the question.'

/** Answers a question: each event has the whole answer so far, the last one its sources, too. */
export async function* answerQuestion(tools: Tools, asker: Asker, open: OpenQuestion): AsyncGenerator<Event> {
  const { format, organizationId, ...question } = open
  const retrievals = await open.retrieve()
  if (retrievals.length === 0) return yield eventOf({ answer: await textOf(tools, unknownAnswer, format) })
  const sections = retrievals.flatMap(({ title: page, sections: parts }) => parts.map(part => ({ page, ...part })))
  const mark = createId()
  const messages = questionMessages({ ...question, sections, mark })
  const read = (reply: string) => readReply(reply, { mark, sections: sections.length })
  let reply = ''
  let last = 0
  for await (reply of asker.ask(tools.db, { organizationId, messages, signal: tools.signal })) {
    if (Date.now() - last < eventTime) continue
    yield eventOf({ answer: await textOf(tools, read(reply).markdown, format) })
    last = Date.now()
  }
  const whole = read(reply)
  const answer = await textOf(tools, whole.markdown === '' ? unknownAnswer : whole.markdown, format)
  yield eventOf({ answer, followupQuestions: whole.questions, sources: sourcesOf(retrievals, whole) })
}

/** The whole answer to a question. */
export async function wholeAnswer(events: AsyncIterable<Event>): Promise<z.input<typeof Answer>> {
  let answer: z.input<typeof Answer> = { followupQuestions: [], sources: [] }
  for await (const event of events) ({ answer } = event)
  return answer
}

function eventOf(answer: Partial<z.input<typeof Answer>>): Event {
  return { type: 'answer', answer: { followupQuestions: [], sources: [], ...answer } }
}

/** The text of an answer without all that leads elsewhere, in a format. */
async function textOf({ markdown: pool }: Tools, text: string, format: Format) {
  // A text that begins with a line is no page with settings above it.
  const source = pool.run('document', { markdown: text.startsWith('---') ? `\n${text}` : text })
  const document = cleanDocument(await orFallback<JSONDocument>(source, emptyDocument))
  if (format === 'document') return { document }
  return { markdown: await orFallback(pool.run('writtenMarkdown', { document }), () => '') }
}

/** The pages that an answer names, each once, with the sections that it names. */
function sourcesOf(retrievals: Retrieval[], { citations }: ReadReply): z.input<typeof Answer>['sources'] {
  let start = 0
  return retrievals.flatMap(({ page, space, revision, sections }) => {
    const first = start
    start += sections.length
    const ids = sections.filter((_section, at) => citations.includes(first + at)).map(({ id }) => id)
    return ids.length === 0 ? [] : [{ type: 'page' as const, page, space, revision, sections: [...new Set(ids)] }]
  })
}
