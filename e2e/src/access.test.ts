import { randomUUID } from 'node:crypto'
import { api } from '@recto/contracts'
import { beforeAll } from '@jest/globals'
import { identityAccess, type Subjects } from './access-table.ts'
import { aPairOfSites, testAccess, createCallers, type AccessSetup } from './access.ts'
import { aMember } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

const emailDomain = `${randomUUID()}.test`

let stack: Installation
let world: AccessSetup<Subjects>

beforeAll(async () => {
  stack = await sharedStack()
  const { organization, people } = await createCallers(stack, { emailDomains: [emailDomain] })
  const [{ id: organizationId, admin }, spare, spareTwo] = [
    organization,
    await aMember(stack, organization, 'read'),
    await aMember(stack, organization, 'read'),
  ]
  const made = async () => {
    const [team, invite, provider] = [
      await admin.client.orgs.createOrganizationTeam(organizationId, { title: 'Writers' }),
      await admin.client.orgs.createOrganizationInvite(organizationId, { role: 'read' as never }),
      await admin.client.orgs.createOrganizationSamlProvider(organizationId, { label: 'Login' }),
    ]
    return { teamId: team.data.id, inviteId: invite.data.id, samlProviderId: provider.data.id }
  }
  const kept = await made()
  await admin.client.orgs.addMemberToOrganizationTeamById(organizationId, kept.teamId, people.owner.id, {
    role: 'owner' as never,
  })
  const space = await admin.client.orgs.createSpace(organizationId, { title: 'Manual' } as never)
  world = {
    stack,
    people,
    visitors: await aPairOfSites(admin, organizationId, space.data.id),
    subjects: {
      organizationId,
      userId: admin.id,
      spare: spare.id,
      ...kept,
      emailDomain,
      doomed: { userId: spareTwo.id, ...(await made()) },
    },
  }
})

testAccess({ service: 'identity', rows: api.identity, table: identityAccess, world: () => world })
