import { ToolFailure, zodTool, type McpTool } from '@recto/mcp'
import type { agentFeedback } from '@recto/contracts-publishing'
import { z } from 'zod'
import { ApiFailure } from '../api/api-client.ts'
import { findPage } from './read-page.ts'
import type { Visit } from './visit.ts'

type Feedback = z.input<(typeof agentFeedback.submitAgentFeedbackToSite)['body']>
type Category = Feedback['feedback']['category']

const categories = [
  'usability',
  'reliability',
  'documentation',
  'efficiency',
  'interoperability',
  'could-not-accomplish',
] as const satisfies Category[]

const input = z.object({
  category: z.enum(categories).default('documentation'),
  severity: z.enum(['low', 'medium', 'high']).optional(),
  summary: z.string().trim().min(1).max(256).describe('What is wrong or missing, in a sentence'),
  detail: z.string().max(4_096).optional(),
  goal: z.string().max(1_024).optional().describe('What you tried to do; nothing about the person you do it for'),
  page: z.string().min(1).max(2_000).optional().describe('Address of the page that it is about'),
})

/** The tool with which an agent says what hindered it. Nothing of the visitor goes along. */
export function feedbackTool(visit: Visit, { userAgent }: { userAgent: string | undefined }): McpTool {
  return zodTool({
    name: 'sendFeedback',
    title: 'Send feedback',
    description:
      'Tells the people who write the documentation what is wrong, missing or hard to find. Say nothing about the person you work for.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input,
    run: async ({ page, ...feedback }, { signal }) => {
      const url = page === undefined ? undefined : (await findPage(page, visit)).url
      return { text: await send({ url, feedback, userAgent, signal }, visit) }
    },
  })
}

interface Sending {
  url: string | undefined
  feedback: Omit<z.output<typeof input>, 'page'>
  userAgent: string | undefined
  signal: AbortSignal
}

async function send({ url, feedback, userAgent, signal }: Sending, { site, api }: Visit): Promise<string> {
  const { organization, site: siteId, apiToken: token } = site.lookup
  const body = {
    subject: url === undefined ? { kind: 'generic' } : { kind: 'documentation', url },
    feedback,
    ...(userAgent !== undefined && { reportedBy: { userAgent: userAgent.slice(0, 512) } }),
  }
  const path = `/orgs/${organization}/sites/${siteId}/agents/feedback`
  const reply = await api.send({ method: 'POST', path, body, token, signal }).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 429)
      throw new ToolFailure('There is much feedback about this site at the moment: try again in an hour')
    throw error
  })
  return (JSON.parse(reply.text) as { result: string }).result
}
