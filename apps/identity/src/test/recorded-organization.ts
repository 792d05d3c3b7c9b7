import type { ExpectedChange, NamedIds } from '@recto/testing'
import { aUser, type TestUser } from './factories.ts'
import type { IdentitySetup } from './identity-setup.ts'

/** A name that no record has, in no case. */
export const needle = 'Needle'

/** The e-mail of a person, which no record has. */
export const email = (name: string) => `${name}@needle.test`

/** Details that name these fields. */
export const fields = (...names: string[]) => ({ fields: names })

/** The change of a user who becomes a member. */
export const added = (name: string, role: string | null, sso = false): ExpectedChange => [
  'member.added',
  `user:${name}`,
  { role, sso },
]

/** The people and the organization of `aRecordedOrganization`. */
export type RecordedOrganization = ReturnType<typeof aRecordedOrganization>

/** People, and an organization that calls of tests make and change; `ids` are those of what the calls before made. */
export function aRecordedOrganization(identity: () => IdentitySetup) {
  const ids: NamedIds = {}
  const people = new Map<string, TestUser>()
  const id = (name: string) => ids[name] ?? ''
  const person = (name: string) => people.get(name) as TestUser
  const as = (name: string) => person(name).client()
  const params = () => ({ organizationId: id('organization') })
  const keepInvite = async () => {
    const [newest] = (await (await as('ada')).listPendingInvites({ params: params() })).items
    ids['invite'] = newest?.id ?? ''
  }
  return {
    ids,
    id,
    person,
    as,
    params,
    addPerson: async (name: string) => {
      const user = await aUser(identity(), { email: email(name), displayName: needle })
      people.set(name, user)
      ids[name] = user.id
    },
    keep: async (name: string, made: Promise<{ id: string }>) => {
      ids[name] = (await made).id
    },
    /** Keeps the id of the newest invite. */
    keepInvite,
    inviteBy: async (...emails: (string | { email: string; role: 'edit' })[]) => {
      await (await as('ada')).inviteUsersToOrganization({ params: params(), body: { emails, role: 'read' } })
      await keepInvite()
    },
    member: (name: string) => ({ ...params(), userId: id(name) }),
    team: () => ({ ...params(), teamId: id('team') }),
    invite: () => ({ ...params(), inviteId: id('invite') }),
    provider: () => ({ ...params(), samlProviderId: id('samlProvider') }),
  }
}
