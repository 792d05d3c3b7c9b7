import { siteAddressCalls } from '@recto/contracts-publishing-bus'
import { feature } from '@recto/operation'
import { findAddresses } from './find-addresses.ts'
import type { VisitedSites } from './visited-sites.ts'
import type { BaseContext } from '../shared/context.ts'

/** Answers content where spaces are published; `visitedSites` are the sites that visitors open. */
export const siteAddressCallFeature = (visitedSites: VisitedSites) =>
  feature<BaseContext>()(siteAddressCalls, {
    async findAddresses({ body }, { db, sitesUrl }) {
      return { addresses: await findAddresses(body, { db, sitesUrl, visitedSites }) }
    },
  })
