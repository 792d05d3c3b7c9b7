import { agentFeedback } from '@recto/contracts-publishing'
import { pageInMemory } from '@recto/database'
import { feature } from '@recto/operation'
import { countersOf } from '../insights/counters.rules.ts'
import type { Counting } from '../insights/counting.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { readSite, requireManagedSite, setLocationBelow } from '../sites/update-site.ts'
import * as structures from '../structure/structure.repository.ts'
import * as repository from './agent-feedback.repository.ts'

const thanks = 'The feedback was recorded for the people who manage this site.'

/** The operations on feedback of AI agents; it is counted with the events of the site. */
export function agentFeedbackFeature({ counting }: { counting: Counting }) {
  return feature<BaseContext>()(agentFeedback, {
    async submitAgentFeedbackToSite({ params, body: { subject, feedback, reportedBy = {} } }, context) {
      const { id: siteId } = await readSite(context, params)
      const id = await repository.insert(context.db, { siteId, subject, feedback, reportedBy })
      await count(counting, context, { siteId, space: null, page: null })
      setLocationBelow(context, params, `agents/feedback/${id}`)
      return { id, result: thanks }
    },

    async submitSiteAgentFeedback({ params, body: { feedback, goal, url, spaceId, pageId, source } }, context) {
      const { id: siteId } = await readSite(context, params)
      await count(counting, context, { siteId, space: spaceId, page: pageId })
      await repository.insert(context.db, {
        siteId,
        subject: { kind: 'documentation', url, spaceId, pageId },
        feedback: { category: 'documentation', summary: feedback, ...(goal !== undefined && { goal }) },
        reportedBy: source === undefined ? {} : { source },
      })
      return undefined
    },

    async listSiteVisitorSegments({ params, query }, context) {
      await requireManagedSite(context, params)
      return pageInMemory<never>([], () => [], { ...query, cursorKey: context.cursorKey() })
    },
  })
}

interface Place {
  siteId: string
  space: string | null
  page: string | null
}

/** Counts feedback as an event. Throws `not_found` for a space that the site does not show. */
async function count(counting: Counting, { db }: Context, { siteId, space, page }: Place): Promise<void> {
  const nothing = { siteSpace: null, siteSection: null, siteShareKey: null, revision: null }
  const session = { visitorId: '', sessionId: '', cookies: {}, userAgent: '', language: null, referrer: null }
  const event = { type: 'agent_feedback' as const, session, location: { ...nothing, url: '', space, page } }
  const structure = await structures.load(db, siteId)
  await counting.add(db, countersOf([event], { siteId, structure, now: new Date() }))
}
