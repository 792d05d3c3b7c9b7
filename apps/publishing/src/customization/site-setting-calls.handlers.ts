import { siteSettingCalls } from '@recto/contracts-publishing-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import * as customizations from './customizations.repository.ts'
import { linkedFiles } from './references.rules.ts'
import { orderedSiteSpaces } from '../structure/structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'

export const siteSettingCallFeature = feature<BaseContext>()(siteSettingCalls, {
  async listLinkedFiles({ body: { site } }, { db }) {
    const structure = await structures.load(db, site)
    const { settings, overrides } = await customizations.load(db, site)
    // A link of the whole site leads to a file of the space that a visitor reads.
    const files = orderedSiteSpaces(structure).flatMap(({ id, spaceId }) => [
      ...linkedFiles(settings, spaceId),
      ...linkedFiles(overrides.get(id), spaceId),
    ])
    return { files }
  },
})
