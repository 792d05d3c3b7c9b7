import { identityEvents } from '@recto/contracts-identity-bus'
import { implementEvents } from '@recto/service'
import * as grants from './site-grants.repository.ts'

/** Revokes the grants of removed members and deleted teams; grants made after a user joined again stay. */
export const identityEventHandlers = implementEvents<'publishing'>()(identityEvents, {
  async memberRemoved({ organization, user, at }, { tx }) {
    await grants.revokeAll(tx, { organizationId: organization, subject: 'user', subjectId: user, before: new Date(at) })
  },

  async teamDeleted({ organization, team, at }, { tx }) {
    await grants.revokeAll(tx, { organizationId: organization, subject: 'team', subjectId: team, before: new Date(at) })
  },
})
