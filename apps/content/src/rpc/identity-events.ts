import { identityEvents } from '@recto/contracts'
import { implementEvents } from '@recto/service'
import * as grants from '../access/grants.repository.ts'

/** Who left or is gone loses what they were granted before; what they are granted after joining again stays. */
export const identityEventHandlers = implementEvents<'content'>()(identityEvents, {
  async memberRemoved({ organization, user, at }, { tx }) {
    await grants.takeAll(tx, { organizationId: organization, subject: 'user', subjectId: user, before: new Date(at) })
  },

  async teamDeleted({ organization, team, at }, { tx }) {
    await grants.takeAll(tx, { organizationId: organization, subject: 'team', subjectId: team, before: new Date(at) })
  },
})
