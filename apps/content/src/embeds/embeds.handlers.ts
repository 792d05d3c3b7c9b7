import { embeds } from '@recto/contracts-content'
import { feature, fromView } from '@recto/operation'
import { isReferredTo } from '../audience/visible-urls.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { createPagePreviews } from './page-previews.ts'
import { presentEmbed } from './present-embed.ts'

const previews = createPagePreviews()
/** With places of their own, so that visitors keep no member waiting. */
const visitorPreviews = createPagePreviews()

export const embedFeature = feature<BaseContext>()(embeds, {
  getEmbedByUrlInSpace: fromView(
    ({ params: { spaceId } }, context: Context) => readableSpace(context, spaceId),
    async ({ space }, { query: { url } }, context) => {
      if (!context.actor.visitor) return presentEmbed(url, await previews.previewOf(url, context))
      // Any other address would make the server a proxy for strangers.
      if (!(await isReferredTo(context, space, url))) return presentEmbed(url, {})
      const { publicOutgoing: outgoing, convert } = context
      return presentEmbed(url, await visitorPreviews.previewOf(url, { outgoing, convert }))
    },
  ),
})
