import { siteReaderCalls } from '@recto/contracts-publishing-bus'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import * as grants from '../site-access/site-grants.repository.ts'
import * as sites from './sites.repository.ts'

export const siteReaderCallFeature = feature<BaseContext>()(siteReaderCalls, {
  async findReadableSites({ body: { actor, organization, sites: ids } }, { db }) {
    const rows = (await sites.findAll(db, ids)).filter(({ organizationId }) => organizationId === organization)
    const roles = await grants.rolesOn({ db, actor }, rows)
    return { sites: [...roles].flatMap(([id, role]) => (role === null ? [] : [{ id, role }])) }
  },
})
