import type { Role } from '@recto/actor'
import type { gitContentCalls } from '@recto/contracts-git-worker-bus'
import { createId, type Input } from '@recto/operation'
import { aManifest, type ContentSetup, organization, type TestContent } from './content-setup.ts'

type Accepted = Input<typeof gitContentCalls.acceptPush>['body']

/** Where a push goes; whom it is from, an editor unless given. */
export type PushFields = Partial<Pick<Accepted, 'base' | 'force' | 'subject' | 'changeRequest' | 'upload'>> & {
  role?: Role | null | undefined
}

/** The pushes of folders to spaces, as git-worker makes them. */
export function pushesTo(setup: () => ContentSetup) {
  const anUpload = async (role: Role = 'edit', { isComplete = true } = {}) => {
    const bytes = Buffer.from(createId())
    const file = { name: 'folder.pack', type: 'application/octet-stream', size: bytes.byteLength }
    const params = { organizationId: organization }
    const { key } = await setup()
      .as(role)
      .generateStorageUploadURL({ params, body: { file, kind: 'import_file' } })
    if (!isComplete) return { key, hash: '' }
    const { hash, size } = await setup().blobs.put(bytes)
    await setup().gatewayCalls.completeUpload({ body: { key, hash, size } })
    return { key, hash }
  }
  const accept = async (spaceId: string, { role = 'edit', ...fields }: PushFields = {}) => {
    const upload = fields.upload ?? (await anUpload()).key
    const actor = setup().actorOf(role)
    return setup().calls.acceptPush({ body: { spaceId, actor, force: false, ...fields, upload } })
  }
  const applied = async (spaceId: string, content: TestContent, { role = 'edit', ...fields }: PushFields = {}) => {
    const attempt = { operationId: createId(), lease: 1, spaceId, holdSeconds: 60 }
    const upload = fields.upload ?? (await anUpload()).key
    const createdBy = setup().actorOf(role).userId
    await setup().calls.openPush({ body: { ...attempt, upload, createdBy } })
    const manifest = JSON.stringify(await aManifest(setup().blobs, { settingsFile: 'absent', ...content }))
    const { hash } = await setup().blobs.put(Buffer.from(manifest))
    return {
      ...attempt,
      createdBy,
      work: { kind: 'push' as const, force: false, ...fields, upload },
      commit: { oid: 'c0ffee', message: 'A folder', ref: '', createdByService: false },
      manifest: hash,
      discarded: [],
    }
  }
  return {
    anUpload,
    accept,
    /** The request to apply a push. */
    applied,
    async push(...args: Parameters<typeof applied>) {
      return (await setup().calls.applyGitOperation({ body: await applied(...args) })).outcome
    },
  }
}
