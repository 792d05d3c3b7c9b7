import { askCalls } from '@recto/contracts-content-bus'
import { feature } from '@recto/operation'
import { searchShownSpaces } from '../search/search-shown-spaces.ts'
import { shownSpaces } from '../spaces/shown-spaces.ts'
import { answerQuestion } from './answer-question.ts'
import type { BaseAskContext } from './ask.context.ts'
import { eventsOf } from './events.ts'
import { recommendQuestions } from './recommend.ts'
import { requireAsker } from './require-asker.ts'
import { readHits } from './retrieve.ts'

/** Spaces whose hits are read. */
const limit = 50

export const askCallFeature = feature<BaseAskContext>()(askCalls, {
  async askSpaces({ body: { actor, organization, spaces, ...question } }, base) {
    const asker = requireAsker(base)
    const context = { ...base, actor }
    const retrieve = async () => {
      const search = { actor, organization, spaces, query: question.question, list: '', limit }
      return readHits(context, (await searchShownSpaces(context, search)).items)
    }
    return answerQuestion(context, asker, { organizationId: organization, ...question, retrieve })
  },

  async recommendQuestions({ body: { actor, organization, spaces: ids } }, base) {
    const asker = requireAsker(base)
    const context = { ...base, actor }
    return eventsOf(async () => {
      const spaces = (await shownSpaces(base.db, { actor, organization, ids })).map(({ id }) => id)
      return recommendQuestions(context, asker, { organizationId: organization, spaces })
    })
  },
})
