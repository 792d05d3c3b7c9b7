import { createId } from '@recto/operation'
import { unknownAnswer, type Answer, type AnswerEvent } from '@recto/contracts-shared'
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
import { openToolbox, type Toolbox, type ToolServer } from './toolbox.ts'

type Event = z.input<typeof AnswerEvent>
type Format = 'document' | 'markdown'

/** A question with what was found for it. */
export interface OpenQuestion extends Pick<Prompt, 'question' | 'previous' | 'goal' | 'instructions'> {
  organizationId: string
  format: Format
  /** External servers, whose tools the engine may call. */
  servers?: readonly ToolServer[] | undefined
  /** Finds what answers it, as the caller sees it. */
  retrieve(): Promise<Retrieval[]>
}

type Tools = Pick<Context, 'db' | 'markdown' | 'signal' | 'outgoing' | 'build'>

/** Milliseconds between two events of an answer: each has the whole answer so far. */
const eventTime = 200

/** Answers a question: each event has the whole answer so far, the last one its sources, too. */
export async function* answerQuestion(tools: Tools, asker: Asker, open: OpenQuestion): AsyncGenerator<Event> {
  const { servers = [], organizationId } = open
  const { signal, outgoing, build } = tools
  const mark = createId()
  if (servers.length > 0) await asker.requireBudget(tools.db, organizationId)
  const opening = openToolbox(servers, { outgoing, signal, build, timeoutMs: asker.toolTimeoutMs, mark })
  try {
    const retrievals = await open.retrieve()
    yield* answerFrom(tools, asker, { ...open, retrievals, mark, toolbox: await opening })
  } finally {
    await (await opening).close()
  }
}

interface PreparedQuestion extends OpenQuestion {
  retrievals: readonly Retrieval[]
  mark: string
  toolbox: Toolbox
}

async function* answerFrom(tools: Tools, asker: Asker, question: PreparedQuestion): AsyncGenerator<Event> {
  const { format, organizationId, retrievals, mark, toolbox } = question
  const sections = retrievals.flatMap(({ title: page, sections: parts }) => parts.map(part => ({ page, ...part })))
  const messages = (hasTools: boolean) => questionMessages({ ...question, sections, hasTools })
  const without = sections.length > 0 ? messages(false) : undefined
  const isFounded = () => sections.length > 0 || toolbox.results > 0
  const read = (reply: string) => readReply(reply, { mark, sections: sections.length })
  const { definitions, call } = toolbox
  const offered = definitions.length > 0 ? { definitions, call, without } : undefined
  const first = offered ? messages(true) : without
  const { db, signal } = tools
  let reply = ''
  let last = 0
  if (first)
    for await (reply of asker.ask(db, { organizationId, messages: first, tools: offered, signal })) {
      if (!isFounded() || Date.now() - last < eventTime) continue
      yield eventOf({ answer: await textOf(tools, read(reply).markdown, format) })
      last = Date.now()
    }
  const whole = read(isFounded() ? reply : '')
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
function sourcesOf(retrievals: readonly Retrieval[], { citations }: ReadReply): z.input<typeof Answer>['sources'] {
  let start = 0
  return retrievals.flatMap(({ page, space, revision, sections }) => {
    const first = start
    start += sections.length
    const ids = sections.filter((_section, at) => citations.includes(first + at)).map(({ id }) => id)
    return ids.length === 0 ? [] : [{ type: 'page' as const, page, space, revision, sections: [...new Set(ids)] }]
  })
}
