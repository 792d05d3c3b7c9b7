import { api } from '@recto/contracts'
import { beforeAll } from '@jest/globals'
import { aPairOfSites, createCallers, forEachCaller, testAccess, type AccessSetup } from './access.ts'
import { publishingAccess, type PublishingSubjects } from './publishing-access-table.ts'
import { aSite } from './sites.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

let stack: Installation
let world: AccessSetup<PublishingSubjects>

beforeAll(async () => {
  stack = await sharedStack()
  const { organization, people } = await createCallers(stack)
  const { id: organizationId, admin } = organization
  const space = await admin.client.orgs.createSpace(organizationId, { title: 'Manual' } as never)
  const site = () => aSite(admin, organizationId, space.data.id)
  const own = await site()
  const { urls } = (await admin.client.orgs.getSiteById(organizationId, own.siteId)).data
  const { other } = await aPairOfSites(admin, organizationId, space.data.id)
  world = {
    stack,
    people,
    visitors: { own: urls.published ?? '', other },
    subjects: {
      ...{ organizationId, spaceId: space.data.id, ...own },
      doomed: await forEachCaller(async () => {
        const { otherSectionId: _other, ...parts } = await site()
        return parts
      }),
    },
  }
})

testAccess({ service: 'publishing', rows: api.publishing, table: publishingAccess, world: () => world })
