import { api } from '@recto/contracts'
import { aGitServer, aRepository, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll } from '@jest/globals'
import { aPairOfSites, forEachCaller, testAccess, createCallers, type AccessSetup } from './access.ts'
import { contentAccess, type ContentSubjects } from './content-access-table.ts'
import { referringManual as manual } from './fixtures/manual.ts'
import { aMember, sendOk, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { aGlossaryEntry, aRun, aTranslation } from './translations.ts'
import { aComment, contentImport, importedIds, importRepository } from './walk.ts'

let stack: Installation
let git: GitServer
let repository: TestRepository
let world: AccessSetup<ContentSubjects>

interface Organization {
  id: string
  admin: Person
}

async function aPlace({ id, admin }: Organization): Promise<{ spaceId: string; collectionId: string }> {
  const collection = await admin.client.orgs.createCollection(id, { title: 'Docs' })
  const space = await admin.client.orgs.createSpace(id, { title: 'Manual' } as never)
  return { spaceId: space.data.id, collectionId: collection.data.id }
}

async function aDeletedPlace(organization: Organization): Promise<{ spaceId: string; collectionId: string }> {
  const place = await aPlace(organization)
  await organization.admin.client.spaces.deleteSpaceById(place.spaceId)
  return place
}

async function granted(
  { id, admin }: Organization,
  { spaceId, collectionId }: { spaceId: string; collectionId: string },
): Promise<{ userId: string; teamId: string }> {
  const { id: userId } = await aMember(stack, { id, admin }, 'read')
  const team = await admin.client.orgs.createOrganizationTeam(id, { title: 'Writers' })
  const grant = { role: 'read' as never, users: [userId], teams: [team.data.id] }
  await admin.client.spaces.inviteToSpace(spaceId, grant)
  await admin.client.collections.inviteToCollection(collectionId, grant)
  return { userId, teamId: team.data.id }
}

beforeAll(async () => {
  repository = await aRepository({ files: manual })
  git = await aGitServer({ repositories: { manual: repository.path } })
  stack = await sharedStack()
  const { organization, people } = await createCallers(stack)
  const { id: organizationId, admin } = organization
  const place = await aPlace(organization)
  const run = (url: string) => importRepository(admin, place.spaceId, url)
  const failed = await forEachCaller(async () => (await run(git.url('nothing'))).id)
  const content = await importedIds(admin, place.spaceId, await run(git.url('manual')))
  const { id: target } = await sendOk<{ id: string }>(stack, admin, {
    method: 'POST',
    path: '/orgs',
    body: { title: 'Target' },
  })
  const each = () => forEachCaller(() => aPlace(organization))
  const deleted = await forEachCaller(() => aDeletedPlace(organization))
  const proposed = async (subject: string) =>
    (await admin.client.spaces.createChangeRequest(place.spaceId, { subject })).data.id
  const changeRequestId = await proposed('Changes')
  const mergeable = await forEachCaller(() => proposed('To merge'))
  const translationId = await aTranslation(admin, organizationId, place.spaceId)
  const lasting = {
    organizationId,
    ...place,
    ...content,
    importId: await contentImport(admin, place.spaceId, `${git.url('manual')}/HEAD`),
    changeRequestId,
    comment: await aComment(admin, place.spaceId),
    changeRequestComment: await aComment(admin, place.spaceId, changeRequestId),
    mergeable,
    translationId,
    runId: (await aRun(admin, organizationId, translationId)).id,
    glossaryEntryId: await aGlossaryEntry(admin, organizationId),
    unwanted: await forEachCaller(() => aTranslation(admin, organizationId, place.spaceId)),
    ...(await granted(organization, place)),
    repository: git.url('manual'),
    spaceUrl: `${stack.url}/s/${place.spaceId}`,
    target,
    failed,
  }
  // Visitors read the current revision; the earlier ones only if their token is old enough.
  const { revision: revisionId } = (await admin.client.spaces.getSpaceById(place.spaceId)).data
  world = {
    stack,
    people,
    // A change request is read by visitors whose address names it.
    visitors: { ...(await aPairOfSites(admin, organizationId, place.spaceId)), except: { getChangeRequestById: 404 } },
    subjects: { ...lasting, revisionId, moved: await each(), given: await each(), doomed: await each(), deleted },
  }
})

afterAll(async () => {
  await git.stop()
  await repository.remove()
})

testAccess({
  service: 'content',
  rows: { ...api.content, ...api['git-worker'] },
  table: contentAccess,
  world: () => world,
})
