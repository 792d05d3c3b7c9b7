import { publishedClients, service } from '@recto/contracts-identity'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'

export const serviceFeature = feature<BaseContext>()(service, {
  async getApiInformation(_input, { build }) {
    return { version: '1', build, clients: [...publishedClients] }
  },
})
