import { embeds } from '@recto/contracts'
import { feature } from '@recto/operation'
import { readableSpace } from '../../hierarchy/spaces/readable-space.ts'
import type { BaseContext } from '../../shared/context.ts'
import { createPagePreviews } from './page-previews.ts'
import { presentEmbed } from './present-embed.ts'

const previews = createPagePreviews()

export const embedFeature = feature<BaseContext>()(embeds, {
  async getEmbedByUrlInSpace({ params, query: { url } }, context) {
    await readableSpace(context, params.spaceId)
    return presentEmbed(url, await previews.previewOf(url, context))
  },
})
