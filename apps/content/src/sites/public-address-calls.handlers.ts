import { publicAddressCalls } from '@recto/contracts-content-bus'
import { feature } from '@recto/operation'
import { visitedPlaces } from '../reading/visited-places.ts'
import type { BaseContext } from '../shared/context.ts'

export const publicAddressCallFeature = feature<BaseContext>()(publicAddressCalls, {
  async findPublicAddress({ body: { url } }, context) {
    const address = (await visitedPlaces([url], { ...context, visitor: undefined })).get(url)?.url
    return address === undefined ? {} : { address }
  },
})
