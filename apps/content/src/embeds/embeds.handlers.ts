import { embeds } from '@recto/contracts-content'
import { feature, fromView } from '@recto/operation'
import { isUrlVisible } from '../audience/visible-urls.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { createPagePreviews } from './page-previews.ts'
import { presentEmbed } from './present-embed.ts'

const previews = createPagePreviews()
/** Visitors, and users who name no space, have a cache and limits of their own, so that they keep no member waiting. Nobody vouches for them: they read no private addresses. */
const publicPreviews = createPagePreviews()

export const embedFeature = feature<BaseContext>()(embeds, {
  getEmbedByUrlInSpace: fromView(
    ({ params: { spaceId } }, context: Context) => readableSpace(context, spaceId),
    async ({ space }, { query: { url } }, context) => {
      if (!context.actor.visitor) return presentEmbed(url, await previews.previewOf(url, context))
      // Reading other addresses would make the server a proxy for strangers.
      if (!(await isUrlVisible(context, space, url))) return presentEmbed(url, {})
      return publicEmbed(url, context)
    },
  ),

  getEmbedByUrl: async ({ query: { url } }, context) => publicEmbed(url, context),
})

async function publicEmbed(url: string, { publicOutgoing: outgoing, convert }: Context) {
  return presentEmbed(url, await publicPreviews.previewOf(url, { outgoing, convert }))
}
