import { ask } from '@recto/contracts-content'
import { type Authenticated, Failure, feature } from '@recto/operation'
import { viewerIn } from '../access/access.policy.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { searchReadableSpaces } from '../search/search-readable-spaces.ts'
import { answerQuestion, wholeAnswer } from './answer-question.ts'
import type { BaseAskContext } from './ask.context.ts'
import type { Asker } from './asker.ts'
import { eventsOf } from './events.ts'
import { recommendQuestions } from './recommend.ts'
import { requireAsker } from './require-asker.ts'
import { readHits } from './retrieve.ts'

type Context = Authenticated<BaseAskContext>

/** Spaces that a search shows, and whose pages questions are recommended from. */
const maxSpaces = 10

export const askFeature = feature<BaseAskContext>()(ask, {
  async askInOrganization({ params, query, body }, context) {
    const asker = await openAsking(params, context)
    const question = { question: body.query, previous: body.previousQueries, format: query.format }
    return { answer: await wholeAnswer(answerIn(params, context, { asker, ...question })) }
  },

  async streamAskInOrganization({ params, query }, context) {
    const asker = await openAsking(params, context)
    return answerIn(params, context, { asker, question: query.query, format: query.format })
  },

  async getRecommendedQuestionsInOrganization({ params }, context) {
    return { questions: await recommendationsIn(params, context, await openAsking(params, context)) }
  },

  async streamRecommendedQuestionsInOrganization({ params }, context) {
    const asker = await openAsking(params, context)
    return eventsOf(() => recommendationsIn(params, context, asker))
  },
})

interface Params {
  organizationId: string
}

/** The engine for questions in an organization; throws `conflict` where the organization has not allowed it, or nothing answers. */
async function openAsking({ organizationId }: Params, context: Context): Promise<Asker> {
  const { actor, people } = context
  viewerIn(actor, organizationId)
  const { organizations } = await people.describeOrganizations({ body: { actor, organizations: [organizationId] } })
  const [organization] = organizations
  if (!organization) throw new Failure('not_found', 'There is no such organization')
  if (!organization.ai)
    throw new Failure('conflict', 'The organization does not send content to an engine: its setting `ai` is false')
  return requireAsker(context)
}

interface Question {
  asker: Asker
  question: string
  previous?: readonly string[] | undefined
  format: 'document' | 'markdown'
}

function answerIn({ organizationId }: Params, context: Context, { asker, ...question }: Question) {
  const viewer = viewerIn(context.actor, organizationId)
  const retrieve = async () => {
    const request = { text: question.question, limit: maxSpaces, cursorKey: context.cursorKey() }
    return readHits(context, (await searchReadableSpaces(context, viewer, request)).items)
  }
  return answerQuestion(context, asker, { organizationId, ...question, retrieve })
}

async function recommendationsIn({ organizationId }: Params, context: Context, asker: Asker): Promise<string[]> {
  const viewer = viewerIn(context.actor, organizationId)
  const request = { limit: maxSpaces, cursorKey: context.cursorKey() }
  const { items } = await spaces.listReadable(context.db, viewer, request)
  return recommendQuestions(context, asker, { organizationId, spaces: items.map(({ id }) => id) })
}
