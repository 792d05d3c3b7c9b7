import { z } from 'zod'
import {
  AnswerEvent,
  answerFormat,
  askTimeout,
  endpoints,
  Id,
  maxSearchQuery,
  readersAndVisitors,
  reads,
  RecommendedQuestion,
  text,
} from '@recto/contracts-shared'
import { SiteSearchScope } from './search.ts'

/** Characters of an aim. */
const maxGoal = 1_024
const limits = { timeoutMs: askTimeout }
const response = { mediaType: 'text/event-stream' } as const

/** Questions about the content of published sites. */
export const siteAsk = endpoints({
  streamAskInSite: {
    route: 'POST /orgs/{organizationId}/sites/{siteId}/ask',
    summary: 'Ask a question about the content of a published site, and read the answer while it is written',
    description:
      'Each event has the whole answer so far. Sections of pages are found as a search of the site finds them for the caller, and sent to the engine of the settings, which answers from them, and may call tools of the MCP servers of the site; where nothing is found the answer says so. The customization of the site has to switch that on (`ai.mode` other than `none`), and the site must not exclude agents, else 409, as without an engine. Questions and tokens are counted for each organization and day: above the limit 429.',
    query: z.object(answerFormat),
    body: z
      .object({
        question: text({ min: 1, max: maxSearchQuery }).describe('The question, in any language'),
        scope: SiteSearchScope,
        context: z
          .object({
            siteSpaceId: Id.optional().describe('Where the question is asked; it changes nothing'),
            goal: text({ max: maxGoal }).optional().describe('The aim of who asks'),
          })
          .optional()
          .describe('More about the question'),
        session: z
          .object({ visitorId: z.string(), sessionId: z.string() })
          .optional()
          .describe('Is not kept: questions are not linked to visitors'),
      })
      .meta({ id: 'SiteQuestion', description: 'A question about the content of a site' }),
    reply: AnswerEvent,
    response,
    isIdempotent: true,
    errors: ['not_found', 'conflict'],
    records: reads,
    scope: 'site:ask',
    access: readersAndVisitors,
    limits,
    examples: [
      { body: { question: 'How do I install it?', scope: { mode: 'all' } } },
      {
        body: { question: 'word', scope: { mode: 'all' }, context: { siteSpaceId: '{siteSpaceId}' } },
        ignores: ['siteSpaceId'],
      },
      { body: { question: 'word', scope: { mode: 'specific', siteSpaceIds: ['{siteSpaceId}'] } } },
      { body: { question: 'word', scope: { mode: 'default', currentSiteSpace: '{siteSpaceId}' } } },
      { body: { question: 'word', scope: { mode: 'default', includedSiteSpaces: ['{siteSpaceId}'] } } },
    ],
  },
  streamRecommendedQuestionsInSite: {
    route: 'GET /orgs/{organizationId}/sites/{siteId}/ask/questions',
    summary: 'List questions that the content of a published site answers, one by one',
    description:
      'Those of the customization (`ai.suggestions`) where it has any; else at most five, which the engine writes from titles and descriptions of pages that the caller sees. Where the site does not answer questions: 409.',
    query: z.object({
      siteSpaceId: Id.optional().describe('Only questions about this space of the site'),
      spaceId: Id.optional().meta({ deprecated: true }).describe('Only questions about this space'),
    }),
    reply: RecommendedQuestion,
    response,
    errors: ['not_found', 'conflict'],
    scope: 'site:ask',
    access: readersAndVisitors,
    limits,
    examples: [{}, { query: { siteSpaceId: '{siteSpaceId}' } }, { query: { spaceId: '{spaceId}' } }],
  },
})
