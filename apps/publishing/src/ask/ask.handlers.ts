import { siteAsk } from '@recto/contracts-publishing'
import { feature, fieldFault, fromView, type Input } from '@recto/operation'
import * as customizations from '../customization/customizations.repository.ts'
import { serversFor } from '../mcp-servers/servers-for.ts'
import { openPublished, type SeenSite } from '../published-sites/read-published.ts'
import { searchedSpaces } from '../search/search-scope.rules.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { orderedSiteSpaces } from '../structure/structure.rules.ts'
import { askSettings, type AskSettings } from './ask-settings.rules.ts'

export const siteAskFeature = feature<BaseContext>()(siteAsk, {
  streamAskInSite: fromView(openPublished, async ({ site, structure }, { query, body }: AskInput, context) => {
    const { instructions } = await readSettings(site, context)
    const { question, scope, context: about } = body
    const goal = about?.goal
    const spaces = searchedSpaces(structure, { scope })
    const { actor, content } = context
    const servers = await serversFor(context, site.id, actor.visitor)
    const more = {
      ...(servers.length > 0 && { servers }),
      ...(goal !== undefined && { goal }),
      ...(instructions !== undefined && { instructions }),
    }
    return content.askSpaces({
      body: { actor, organization: site.organizationId, spaces, question, ...query, ...more },
    })
  }),

  streamRecommendedQuestionsInSite: fromView(openPublished, async (seen, { query }: QuestionsInput, context) => {
    const { site } = seen
    const { suggestions } = await readSettings(site, context)
    const spaces = spacesOf(seen, query)
    if (suggestions.length > 0) return eachOf(suggestions)
    const { actor, content } = context
    return content.recommendQuestions({ body: { actor, organization: site.organizationId, spaces } })
  }),
})

type AskInput = Input<typeof siteAsk.streamAskInSite>
type QuestionsInput = Input<typeof siteAsk.streamRecommendedQuestionsInSite>

async function readSettings(site: SeenSite['site'], { db }: Context): Promise<AskSettings> {
  const { settings } = await customizations.load(db, site.id)
  return askSettings(site, settings?.ai)
}

/** The spaces that questions are about, each once; those that the caller does not see are missing, as others are. */
function spacesOf({ structure }: SeenSite, { siteSpaceId, spaceId }: QuestionsInput['query']): string[] {
  const all = orderedSiteSpaces(structure)
  const requireRows = (field: string, rows: typeof all) => {
    if (rows.length === 0) throw fieldFault(`query.${field}`, 'is no space of the site', 'not_found')
    return rows
  }
  const ofSiteSpace =
    siteSpaceId === undefined
      ? all
      : requireRows(
          'siteSpaceId',
          all.filter(({ id }) => id === siteSpaceId),
        )
  const rows =
    spaceId === undefined
      ? ofSiteSpace
      : requireRows(
          'spaceId',
          ofSiteSpace.filter(row => row.spaceId === spaceId),
        )
  return [...new Set(rows.map(row => row.spaceId))]
}

async function* eachOf(questions: readonly string[]): AsyncGenerator<{ question: string }> {
  for (const question of questions) yield { question }
}
