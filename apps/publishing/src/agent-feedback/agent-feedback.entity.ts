import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** Feedback of an AI agent about a site, or something that the site documents. Nobody is named in it. */
export interface AgentFeedbackRow {
  id: string
  siteId: string
  subject: object
  feedback: object
  reportedBy: object
  createdAt: Date
}

export const AgentFeedbackEntity = new EntitySchema<AgentFeedbackRow>({
  name: 'AgentFeedback',
  tableName: 'agent_feedback',
  columns: {
    id: { type: 'text', primary: true },
    siteId: { type: 'text', name: 'site_id' },
    subject: { type: 'jsonb' },
    feedback: { type: 'jsonb' },
    reportedBy: { type: 'jsonb', name: 'reported_by' },
    createdAt: { type: 'timestamptz', precision: 3, name: 'created_at' },
  } satisfies EntityColumns<AgentFeedbackRow>,
})
