import { agentFeedback } from '@recto/contracts-publishing'
import { pageInMemory } from '@recto/database'
import { Failure, feature, fromView, type Input } from '@recto/operation'
import { countersOf } from '../insights/counters.rules.ts'
import type { Counting } from '../insights/counting.ts'
import { openPublished } from '../published-sites/read-published.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import type { SiteView } from '../sites/sites.repository.ts'
import { readSite, requireManagedSite, setLocationBelow, type SiteParams } from '../sites/update-site.ts'
import * as structures from '../structure/structure.repository.ts'
import * as repository from './agent-feedback.repository.ts'

const thanks = 'The feedback was recorded for the people who manage this site.'

/** The operations on feedback of AI agents; it is counted with the events of the site. */
export function agentFeedbackFeature({ counting }: { counting: Counting }) {
  return feature<BaseContext>()(agentFeedback, {
    submitAgentFeedbackToSite: fromView(
      openForFeedback,
      async ({ id: siteId }, { params, body }: AboutSite, context) => {
        const { subject, feedback, reportedBy = {} } = body
        if (context.actor.visitor) await requireRoom(context, siteId)
        const id = await repository.insert(context.db, { siteId, subject, feedback, reportedBy })
        await count(counting, context, { siteId, space: null, page: null })
        setLocationBelow(context, params, `agents/feedback/${id}`)
        return { id, result: thanks }
      },
    ),

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

type AboutSite = Input<typeof agentFeedback.submitAgentFeedbackToSite>

/** The site that feedback is about: of visitors, the published one that they read, unless it excludes agents. */
async function openForFeedback(input: { params: SiteParams }, context: Context): Promise<SiteView> {
  const { visitor } = context.actor
  if (!visitor) return readSite(context, input.params)
  if (visitor.excludesAgents) throw new Failure('not_found', 'This site excludes AI agents')
  return (await openPublished(input, context)).site
}

/** Feedback about a site in an hour, above which visitors add none: whoever can read the site could otherwise fill the table. */
const maxHourlyFeedback = 600
const hour = 3_600_000

async function requireRoom({ db }: Context, siteId: string): Promise<void> {
  const recent = await repository.countSince(db, siteId, new Date(Date.now() - hour))
  if (recent < maxHourlyFeedback) return
  throw new Failure('rate_limited', `More than ${maxHourlyFeedback} messages about this site in an hour`, {
    retryAfter: hour / 1_000,
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
