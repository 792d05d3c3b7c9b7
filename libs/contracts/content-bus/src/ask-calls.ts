import { operations } from '@recto/operation'
import { z } from 'zod'
import { Actor, AnswerEvent, answerFormat, askTimeout, Id, RecommendedQuestion } from '@recto/contracts-shared'

const asking = z.object({ actor: Actor, organization: Id, spaces: z.array(Id).max(1000) })
/** An external MCP server, whose tools an answer may use; its headers are secrets. */
const McpServer = z.object({
  name: z.string(),
  url: z.string(),
  transport: z.enum(['sse', 'http']),
  headers: z.record(z.string(), z.string()),
})
const events = { mediaType: 'text/event-stream' } as const
const limits = { timeoutMs: askTimeout }

/** Calls from publishing to content about questions of a site, which has switched them on. */
export const askCalls = operations({
  askSpaces: {
    summary: 'Answer a question from the main content of spaces, as an actor sees it',
    body: asking.extend({
      question: z.string(),
      ...answerFormat,
      goal: z.string().optional().describe('The aim of who asks'),
      instructions: z.string().optional().describe('The instructions of those who manage the site'),
      servers: z.array(McpServer).max(100).optional().describe('External MCP servers, whose tools the answer may use'),
    }),
    reply: AnswerEvent,
    response: events,
    errors: ['not_found', 'conflict'],
    limits,
  },
  recommendQuestions: {
    summary: 'Write questions that the main content of spaces answers, as an actor sees it',
    body: asking,
    reply: RecommendedQuestion,
    response: events,
    errors: ['not_found', 'conflict'],
    limits,
  },
})
