import { z } from 'zod'
import {
  empty,
  endpoints,
  HttpUrl,
  Id,
  list,
  onResource,
  page,
  readersAndVisitors,
  text,
} from '@recto/contracts-shared'

const sitePath = '/orgs/{organizationId}/sites/{siteId}'
const Goal = text({ max: 1024 })
const uses = z.number().int().min(0).max(1_000_000).optional()

const Subject = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('mcp-tool'),
      toolName: text({ max: 200 }),
      target: text({ max: 200 }).optional(),
    }),
    z.strictObject({
      kind: z.literal('cli-command'),
      command: text({ max: 200 }),
      flags: z
        .array(text({ max: 100 }))
        .max(50)
        .optional(),
    }),
    z.strictObject({
      kind: z.literal('api-endpoint'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
      path: text({ max: 500 }),
    }),
    z.strictObject({ kind: z.literal('documentation'), url: HttpUrl }),
    z.strictObject({ kind: z.literal('generic') }),
  ])
  .meta({ id: 'AgentFeedbackSubject', description: 'What the feedback is about' })

const Content = z
  .strictObject({
    category: z.enum([
      'usability',
      'reliability',
      'documentation',
      'efficiency',
      'interoperability',
      'could-not-accomplish',
    ]),
    severity: z.enum(['low', 'medium', 'high']).optional(),
    goal: Goal.optional(),
    summary: text({ min: 1, max: 256 }),
    detail: text({ max: 4096 }).optional(),
    workaround: text({ max: 2048 }).optional(),
    metrics: z.strictObject({ callCount: uses, successCount: uses, retryCount: uses }).optional(),
  })
  .meta({ id: 'AgentFeedbackContent', description: 'What an AI agent says' })

const ReportedBy = z
  .strictObject({
    model: text({ max: 100 }).optional(),
    userAgent: text({ max: 512 }).optional(),
    correlationId: text({ max: 100 }).optional(),
    onDemand: z.boolean().default(false),
  })
  .meta({ id: 'AgentFeedbackReportedBy', description: 'The agent; never the user it acts for' })

const Feedback = z
  .strictObject({ reportedBy: ReportedBy.optional(), subject: Subject, feedback: Content })
  .meta({ id: 'AgentFeedbackInput', description: 'Feedback of an AI agent' })

const SiteFeedback = z
  .object({
    feedback: text({ min: 1, max: 2048 }),
    goal: Goal.optional(),
    url: HttpUrl,
    spaceId: Id.describe('Must be a space that the site shows'),
    pageId: Id,
    source: z.enum(['mcp', 'assistant']).optional(),
  })
  .meta({ id: 'SiteAgentFeedback', description: 'Feedback of an AI agent about a page' })

const aFeedback = {
  subject: { kind: 'documentation', url: 'https://docs.test/start' },
  feedback: { category: 'documentation', summary: 'The page is outdated' },
}

const VisitorSegment = z
  .object({
    title: z.string(),
    claims: z.record(z.string(), z.unknown()),
    events: z.number(),
    visitors: z.number(),
    sessions: z.number(),
  })
  .meta({ id: 'SiteInsightsVisitorSegment', description: 'Visitors with the same claims' })

/** Operations with which AI agents say what hindered them; what they say is kept as long as counts of events. */
export const agentFeedback = endpoints({
  submitAgentFeedbackToSite: {
    route: `POST ${sitePath}/agents/feedback`,
    summary: 'Submit feedback of an AI agent; it is counted as the event `agent_feedback`',
    description:
      'It is kept as long as numbers of events are, 90 days unless the installation says otherwise, with nothing of the user the agent acts for. Agents that read the site for a visitor submit it with the visitor token, unless the site excludes agents; after 600 messages about a site in an hour visitors add none.',
    body: Feedback,
    reply: z
      .object({ id: Id, result: z.string().describe('What the agent is told') })
      .meta({ id: 'AgentFeedbackResult', description: 'Feedback that was recorded' }),
    creates: 'resource',
    errors: ['not_found'],
    records: { nothing: 'Feedback is no change of the site, and is counted with its events' },
    scope: 'site:write',
    access: readersAndVisitors,
    examples: [{ body: aFeedback }],
  },
  submitSiteAgentFeedback: {
    route: `POST ${sitePath}/agent-feedback`,
    summary: 'Submit feedback of an AI agent about a page; use submitAgentFeedbackToSite',
    description: 'It is kept like that of submitAgentFeedbackToSite. A space that the site does not show is 404.',
    body: SiteFeedback,
    reply: empty,
    status: 204,
    creates: 'effect',
    errors: ['not_found'],
    records: { nothing: 'Feedback is no change of the site, and is counted with its events' },
    scope: 'site:write',
    access: onResource('read'),
    examples: [
      {
        body: { feedback: 'Outdated', url: 'https://docs.test/start', spaceId: '{spaceId}', pageId: '{pageId}' },
        ignores: ['pageId'],
      },
    ],
  },
  listSiteVisitorSegments: {
    route: `GET ${sitePath}/insights/visitor-segments`,
    summary: 'List the segments of visitors: none, because nothing is kept of who they are',
    description: 'It is there for clients of the compatible API.',
    query: page,
    reply: list(VisitorSegment),
    errors: ['not_found'],
    scope: 'site:insights:read',
    access: onResource('create'),
  },
})
