import { z } from 'zod'
import {
  Answer,
  AnswerEvent,
  answerFormat,
  askTimeout,
  endpoints,
  guests,
  maxSearchQuery,
  reads,
  RecommendedQuestion,
  text,
} from '@recto/contracts-shared'

const question = text({ min: 1, max: maxSearchQuery }).describe('The question, in any language')
const format = { ...answerFormat, details: z.enum(['true', 'false']).optional().describe('There are none') }
const limits = { timeoutMs: askTimeout }
const events = { mediaType: 'text/event-stream' } as const
const asking =
  'Sections of pages are found as a search of the organization finds them, and sent to the engine of the settings, which answers from them; where none is found it is not asked. The organization has to allow that (`ai`), else 409, as without an engine. Questions and tokens are counted for each organization and day: above the limit 429.'

/** Questions about the content of an organization. */
export const ask = endpoints({
  askInOrganization: {
    route: 'POST /orgs/{organizationId}/ask',
    summary: 'Ask a question about what the caller can read in an organization',
    description: `Answers when the answer is whole. ${asking}`,
    query: z.object(format),
    body: z
      .object({
        query: question,
        previousQueries: z
          .array(text({ max: maxSearchQuery }))
          .max(10)
          .optional()
          .meta({ deprecated: true })
          .describe('Questions asked before, of which it is a continuation'),
      })
      .meta({ id: 'AskQuestion', description: 'A question' }),
    reply: z.object({ answer: Answer }).meta({ id: 'AskReply', description: 'The answer to a question' }),
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    scope: 'organization:ask',
    access: { ...guests, limited: 'filtered' },
    records: reads,
    limits,
    examples: [{ body: { query: 'How do I install it?' } }],
  },
  streamAskInOrganization: {
    route: 'GET /orgs/{organizationId}/ask/stream',
    summary:
      'Ask a question about what the caller can read in an organization, and read the answer while it is written',
    description: `Each event has the whole answer so far. ${asking}`,
    query: z.object({ query: question, ...format }),
    reply: AnswerEvent,
    response: events,
    errors: ['not_found', 'conflict'],
    scope: 'organization:ask',
    access: { ...guests, limited: 'filtered' },
    limits,
    examples: [{ query: { query: 'How do I install it?' } }],
  },
  getRecommendedQuestionsInOrganization: {
    route: 'GET /orgs/{organizationId}/ask/questions',
    summary: 'List questions that the content of an organization answers',
    description:
      'At most five, which the engine writes from titles and descriptions of pages that the caller can read; the same titles are asked for once a day. They count as a question. Without an engine in the settings, or while `ai` of the organization is false, it is refused (409).',
    reply: z
      .object({ questions: z.array(z.string()).describe('Questions, as a reader would ask them') })
      .meta({ id: 'RecommendedQuestions', description: 'Questions that the content answers' }),
    errors: ['not_found', 'conflict'],
    scope: 'organization:ask',
    access: { ...guests, limited: 'filtered' },
    limits,
  },
  streamRecommendedQuestionsInOrganization: {
    route: 'GET /orgs/{organizationId}/ask/questions/stream',
    summary: 'List questions that the content of an organization answers, one by one',
    description:
      'Each event has one question. They are those of the reply in one piece. Without an engine in the settings, or while `ai` of the organization is false, it is refused (409).',
    reply: RecommendedQuestion,
    response: events,
    errors: ['not_found', 'conflict'],
    scope: 'organization:ask',
    access: { ...guests, limited: 'filtered' },
    limits,
  },
})
