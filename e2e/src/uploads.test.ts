import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { aMember, anOrganization, sendRaw, type Person } from './people.ts'
import { removeData, startStack, type Stack } from './stack.ts'

const megabyte = 1024 * 1024
let stack: Stack
let organization: { id: string; admin: Person }
let spaceId: string

beforeAll(async () => {
  stack = await startStack()
  organization = await anOrganization(stack)
  spaceId = (await organization.admin.client.orgs.createSpace(organization.id, { title: 'Manual' } as never)).data.id
})
afterAll(async () => {
  await stack.stop()
  await removeData(stack.dataDir)
})

/** Uploads bytes with the published client; resolves to the key. */
async function upload(who: Person, organizationId: string, bytes: Buffer): Promise<{ key: string; url: string }> {
  const file = { name: 'film.mp4', type: 'video/mp4', size: bytes.byteLength }
  const { data } = await who.client.orgs.generateStorageUploadUrl(organizationId, {
    file,
    kind: 'import_file' as never,
  })
  const { key, url } = { key: data.key, url: String(data.url) }
  expect((await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(200)
  return { key, url }
}

const insert = (who: Person, space: string, key: string) =>
  sendRaw(stack.url, who, {
    method: 'POST',
    path: `/spaces/${space}/content`,
    body: { changes: [{ operation: 'insert_files', files: [{ name: 'film.mp4', upload: key }] }] },
  })

interface Inserted {
  insertedFiles: { size: number; downloadURL: string }[]
}

/** The largest memory of a process so far, in bytes. */
async function peakOf(name: string): Promise<number> {
  const status = await readFile(`/proc/${stack.pidOf(name)}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

describe('a file of 60 MB', () => {
  const onLinux = existsSync('/proc/self/status') ? it : it.skip
  onLinux(
    'is uploaded, inserted and downloaded, with bounded memory of the services (only where /proc exists)',
    async () => {
      const bytes = randomBytes(60 * megabyte)
      const names = ['gateway', 'content']
      const before = await Promise.all(names.map(peakOf))
      const { key, url } = await upload(organization.admin, organization.id, bytes)
      for (let again = 0; again < 2; again++)
        expect((await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(200)
      const { status, body } = await insert(organization.admin, spaceId, key)
      const after = await Promise.all(names.map(peakOf))
      expect(status).toBe(200)
      const [file] = (body as Inserted).insertedFiles
      expect(file?.size).toBe(bytes.byteLength)
      const sent = Buffer.from(await (await fetch(file?.downloadURL ?? '')).arrayBuffer())
      expect(hashOf(sent)).toBe(hashOf(bytes))
      // 180 MB were sent.
      for (const [index, peak] of after.entries()) expect(peak - (before[index] ?? 0)).toBeLessThan(90 * megabyte)
    },
  )
})

describe('an upload', () => {
  const bytes = Buffer.from('a small file')

  it('is of its creator and their organization alone', async () => {
    const { id, admin } = organization
    const editor = await aMember(stack, organization, 'edit')
    const target = await sendRaw(stack.url, admin, { method: 'POST', path: '/orgs', body: { title: 'Other' } })
    const other = (target.body as { id: string }).id
    const own = await upload(editor, id, bytes)
    const elsewhere = await upload(admin, other, bytes)
    expect((await insert(admin, spaceId, own.key)).status).toBe(409)
    expect((await insert(admin, spaceId, elsewhere.key)).status).toBe(409)
    expect((await insert(editor, spaceId, own.key)).status).toBe(200)
  })

  it('needs its URL and no token, and leaves no trace of it in the log', async () => {
    const { url } = await upload(organization.admin, organization.id, bytes)
    const forged = await fetch(url.replace(/.{4}$/, 'AAAA'), { method: 'PUT', body: bytes })
    expect([forged.status, await forged.json()]).toEqual([404, { error: expect.objectContaining({ code: 404 }) }])
    await eventually(async () => expect(await logOf('gateway')).toContain('generateStorageUploadURL'))
    const logs = await Promise.all(['gateway', 'content'].map(logOf))
    expect(logs.join('')).not.toContain(url.slice(-40))
  })
})

const logOf = (name: string) => readFile(join(stack.dataDir, 'logs', `${name}.log`), 'utf8')

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
