import { aRepository, packOfCommit } from '@recto/testing'
import { expect } from '@jest/globals'
import { stack } from './exports.ts'
import { type Person, sendRaw } from './people.ts'
import { request, waitForEnd, type GitOperation } from './walk.ts'

/** A push as the API answers it. */
export type Push = GitOperation & { changeRequest?: string; message?: string; direction: string; url?: string }

/** A folder by path. */
export type Folder = Record<string, string | Buffer>

/** Packs a folder as one commit. */
export async function aPack(files: Folder): Promise<{ pack: Buffer; commit: string }> {
  const repository = await aRepository({ files })
  try {
    return await packOfCommit(repository.path, 'main')
  } finally {
    await repository.remove()
  }
}

/** Uploads a pack, as a person or as the admin of the stack; resolves to its key. */
export async function uploadPack(
  organizationId: string,
  pack: Buffer,
  who: { token: string } = stack,
): Promise<string> {
  const file = { name: 'folder.pack', type: 'application/octet-stream', size: pack.byteLength }
  const path = `/orgs/${organizationId}/storage/upload`
  const { body, status } = await sendRaw(stack.url, who, { method: 'POST', path, body: { file, kind: 'import_file' } })
  expect(status).toBe(201)
  const { url, key } = body as { url: string; key: string }
  expect((await fetch(url, { method: 'PUT', body: new Uint8Array(pack) })).status).toBe(200)
  return key
}

/** Requests a push of what was uploaded. */
export const requestPush = (spaceId: string, body: object, who: Pick<Person, 'token'> = stack) =>
  sendRaw(stack.url, who, { method: 'POST', path: `/spaces/${spaceId}/git/push`, body })

/** A space with what a push to it needs. */
export interface PushedSpace {
  organizationId: string
  spaceId: string
}

/** Uploads a folder and requests a push of it. */
export async function startPush(space: PushedSpace, files: Folder, body: object = {}): Promise<Push> {
  const { pack, commit } = await aPack(files)
  const upload = await uploadPack(space.organizationId, pack)
  const reply = await requestPush(space.spaceId, { upload, commit, ...body })
  expect(reply).toMatchObject({ status: 200, body: { object: 'git-operation', direction: 'import', automatic: false } })
  expect(reply.headers.get('location')).toContain(`/git/operations/${(reply.body as Push).id}`)
  return reply.body as Push
}

/** Waits for the end of an operation. */
export async function endOf({ spaceId }: PushedSpace, { id }: Pick<Push, 'id'>): Promise<Push> {
  await waitForEnd(stack, spaceId, id)
  return request<Push>(stack, 'GET', `/spaces/${spaceId}/git/operations/${id}`)
}

/** Pushes a folder; resolves to the operation when it has ended. */
export async function push(space: PushedSpace, files: Folder, body: object = {}): Promise<Push> {
  return endOf(space, await startPush(space, files, body))
}

/** The revision of main content. */
export const mainOf = async ({ spaceId }: PushedSpace) =>
  (await stack.client.spaces.getSpaceById(spaceId)).data.revision
