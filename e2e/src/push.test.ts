import { eventually, lockRow } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { databaseUrl, untilAwaited } from './databases.ts'
import {
  aServedRepository,
  change,
  changedFiles,
  exportTo,
  inRepository,
  outlineOfSpace,
  pageId,
  stack,
  startOwnExports,
  stopExports,
} from './exports.ts'
import { aMember } from './people.ts'
import {
  aPack,
  endOf,
  mainOf,
  push,
  type Push,
  type PushedSpace,
  requestPush,
  startPush,
  uploadPack,
} from './pushes.ts'
import { inStep, operationsOf, setSync, titlesOf } from './syncs.ts'
import { aSpace, request } from './walk.ts'

beforeAll(startOwnExports)
afterAll(stopExports)

const files = {
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n',
  'README.md': '---\ndescription: Hi  # a comment\nicon: house\n---\n\n# Home  \n\nwith [a link](guide.md)\n',
  'guide.md': '\ufeff# Guide\r\n\r\n![](.gitbook/assets/a.png)\r\n',
  '.gitbook/assets/a.png': Buffer.from([1, 2, 3]),
}
const changedGuide = { ...files, 'guide.md': '# Guide\n\nanother text\n' }
const insert = (title: string) => ({ operation: 'insert_page', title, document: { markdown: `# ${title}\n` } })
const idsOf = async ({ spaceId }: PushedSpace) => [await pageId(spaceId, 'Home'), await pageId(spaceId, 'Guide')]
const revisionsOf = async ({ spaceId }: PushedSpace) =>
  (await request<{ count: number }>(stack, 'GET', `/spaces/${spaceId}/revisions`)).count

/** The texts of the pages of a space, byte for byte as an export of it writes them. */
async function textsOf({ spaceId }: PushedSpace): Promise<Record<string, string>> {
  const { repository, url } = await aServedRepository({ 'x.txt': '' })
  expect(await exportTo(spaceId, url, { ref: 'refs/heads/copy', standalone: true })).toMatchObject({ state: 'success' })
  const names = ['README.md', 'guide.md']
  const texts = await Promise.all(names.map(name => inRepository(repository.path, 'show', `copy:${name}`)))
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']))
}

describe('a push to main content', () => {
  it('A folder becomes the content of an empty space, byte for byte, and links it to no repository', async () => {
    const space = await aSpace(stack)
    const base = await mainOf(space)
    const operation = await push(space, files, { base, message: 'The first' })
    expect(operation).toMatchObject({
      state: 'success',
      revision: await mainOf(space),
      message: 'The first',
      warnings: [],
    })
    expect(operation).not.toHaveProperty('url')
    expect(await outlineOfSpace(space.spaceId)).toMatchObject({
      pages: [
        ['document', 'Home', undefined, 'Hi', expect.stringContaining('with [a link]'), []],
        ['document', 'Guide', undefined, undefined, expect.any(String), []],
      ],
      files: [['a.png', 3, undefined]],
    })
    expect(await textsOf(space)).toEqual({ 'README.md': files['README.md'], 'guide.md': files['guide.md'] })
    await expect(request(stack, 'GET', `/spaces/${space.spaceId}/git/info`)).rejects.toThrow('404')
  })

  it('A second push changes one page, and keeps all ids; a third of the same folder makes no revision', async () => {
    const space = await aSpace(stack)
    const first = await push(space, files)
    const ids = await idsOf(space)
    const second = await push(space, changedGuide, { base: first.revision })
    expect(await idsOf(space)).toEqual(ids)
    const path = `/spaces/${space.spaceId}/revisions/${second.revision}/changes`
    const { changes } = await request<{ changes: { page?: { id: string } }[] }>(stack, 'GET', path)
    expect(changes.map(({ page }) => page?.id)).toEqual([ids[1]])
    const third = await push(space, changedGuide, { base: second.revision })
    expect([third.state, third.revision, await revisionsOf(space)]).toEqual(['success', second.revision, 3])
  })

  it('A push whose base has moved is refused, unless it is forced', async () => {
    const space = await aSpace(stack)
    const { spaceId, organizationId } = space
    const base = await mainOf(space)
    await change(spaceId, [insert('New')])
    const { pack, commit } = await aPack(files)
    const upload = await uploadPack(organizationId, pack)
    expect(await requestPush(spaceId, { upload, commit, base })).toMatchObject({ status: 409 })
    expect(await operationsOf(spaceId)).toEqual([])
    const forced = await requestPush(spaceId, { upload, commit, base, force: true })
    expect(await endOf(space, forced.body as Push)).toMatchObject({ state: 'success' })
    expect(await titlesOf(spaceId)).toEqual(['Guide', 'Home'])
  })

  it('Main content that moves while a push is queued makes it fail, and stays as it is', async () => {
    const space = await aSpace(stack)
    const { spaceId } = space
    const base = await mainOf(space)
    // Neither writes before both are queued.
    const held = await lockRow(databaseUrl(stack.dataDir, 'content'), { table: 'spaces', id: spaceId })
    const started = await Promise.all([startPush(space, files, { base }), startPush(space, changedGuide, { base })])
    await held.release()
    const [first, second] = await Promise.all(started.map(operation => endOf(space, operation)))
    const states = [first, second].map(operation => operation?.error?.code ?? operation?.state)
    expect(states.toSorted()).toEqual(['content_moved', 'success'])
    expect([await mainOf(space), await titlesOf(spaceId)]).toEqual([
      [first, second].find(operation => operation?.state === 'success')?.revision,
      ['Guide', 'Home'],
    ])
  })
})

describe('a push to a change request', () => {
  it('A push creates a change request, another adds to it, and its merge brings both', async () => {
    const space = await aSpace(stack)
    const { spaceId } = space
    const { revision: base } = await push(space, files)
    const ids = await idsOf(space)
    const { changeRequest = '' } = await push(space, changedGuide, {
      base,
      changeRequest: { subject: 'A better guide' },
    })
    const path = `/spaces/${spaceId}/change-requests/${changeRequest}`
    expect(await request(stack, 'GET', path)).toMatchObject({
      subject: 'A better guide',
      status: 'draft',
      outdated: false,
    })
    expect(await mainOf(space)).toBe(base)
    const more = { ...changedGuide, 'README.md': '# Home\n\nmore\n' }
    const second = await push(space, more, { base, changeRequest: { id: changeRequest } })
    expect(second).toMatchObject({ state: 'success', changeRequest })
    expect(await request(stack, 'GET', path)).toMatchObject({ revision: second.revision })
    await request(stack, 'POST', `${path}/merge`)
    expect(await idsOf(space)).toEqual(ids)
    expect(await textsOf(space)).toEqual({ 'README.md': more['README.md'], 'guide.md': more['guide.md'] })
    const { pack, commit } = await aPack(files)
    const upload = await uploadPack(space.organizationId, pack)
    const refused = await requestPush(spaceId, { upload, commit, changeRequest: { id: changeRequest } })
    expect(refused.status).toBe(409)
  })
})

describe('who may push', () => {
  it('A reader is refused, an editor needs an upload of their own, and one that is complete', async () => {
    const { organizationId: id, spaceId } = await aSpace(stack)
    const organization = { id, admin: { id: '', email: '', token: stack.token, client: stack.client } }
    const reader = await aMember(stack, organization, 'read')
    const editor = await aMember(stack, organization, 'edit')
    const { pack, commit } = await aPack(files)
    const foreign = await uploadPack(id, pack)
    const own = await uploadPack(id, pack, editor)
    const statusOf = async (who: typeof reader, upload: string) =>
      (await requestPush(spaceId, { upload, commit }, who)).status
    expect([await statusOf(reader, foreign), await statusOf(editor, foreign), await statusOf(editor, own)]).toEqual([
      403, 404, 200,
    ])
  })
})

describe('hostile packs', () => {
  const flipped = (pack: Buffer) => Buffer.concat([pack.subarray(0, -1), Buffer.from([(pack.at(-1) ?? 0) ^ 1])])
  const counted = (pack: Buffer) => {
    const bytes = Buffer.from(pack)
    bytes.writeUInt32BE(1_000_001, 8)
    return bytes
  }
  it('A pack that is damaged, or lacks its commit, fails with a reason and leaves the content as it is', async () => {
    const space = await aSpace(stack)
    const { revision } = await push(space, files)
    const { pack, commit } = await aPack(changedGuide)
    const hostile: [Buffer, string, string][] = [
      [pack.subarray(0, -40), commit, 'invalid_repository'],
      [flipped(pack), commit, 'invalid_repository'],
      [pack, 'a'.repeat(40), 'invalid_repository'],
      [Buffer.from('no pack'), commit, 'invalid_repository'],
      [counted(pack), commit, 'too_large'],
    ]
    for (const [bytes, oid, code] of hostile) {
      const upload = await uploadPack(space.organizationId, bytes)
      const { body } = await requestPush(space.spaceId, { upload, commit: oid, base: revision })
      expect(await endOf(space, body as Push)).toMatchObject({ state: 'failure', error: { code } })
    }
    expect(await mainOf(space)).toBe(revision)
  })

  it('A tree with paths that lead elsewhere is pushed without them', async () => {
    const space = await aSpace(stack)
    const operation = await push(space, { ...files, '../up.md': '# Up\n', '.git/config.md': '# Config\n' })
    expect(operation.warnings.map(({ path }) => path).toSorted()).toEqual(['..', '.git'])
    expect(await titlesOf(space.spaceId)).toEqual(['Guide', 'Home'])
  })
})

describe('a push to a synchronised space', () => {
  it('The next export writes the pushed changes byte for byte, and an import of the branch changes nothing', async () => {
    const space = await aSpace(stack)
    const { repository, url } = await aServedRepository(files)
    const { path } = repository
    await setSync(space.spaceId, url, { initial: 'import' })
    await inStep(space.spaceId, path)
    const base = await mainOf(space)
    const ids = await idsOf(space)
    const more = {
      ...changedGuide,
      'SUMMARY.md': `${files['SUMMARY.md']}* [More](more.md)\n`,
      'more.md': '# More  \r\n',
    }
    expect(await push(space, more, { base })).toMatchObject({ state: 'success' })
    await eventually(async () =>
      expect((await changedFiles(path)).sort()).toEqual(['A\tmore.md', 'M\tSUMMARY.md', 'M\tguide.md']),
    )
    for (const name of ['guide.md', 'more.md', 'SUMMARY.md', 'README.md'] as const)
      expect(await inRepository(path, 'show', `main:${name}`)).toBe(more[name])
    await inStep(space.spaceId, path)
    expect(await idsOf(space)).toEqual(ids)
    await inRepository(path, 'fsck', '--strict')
    // The push is no synchronisation: the space shows its repository, with the latest operation there.
    const info = await request<{ url: string; operation: { direction: string } }>(
      stack,
      'GET',
      `/spaces/${space.spaceId}/git/info`,
    )
    expect(info).toMatchObject({ url, operation: { direction: 'export' } })
  })
})

describe('a push whose process is killed', () => {
  it.each(['git-worker', 'content'])('A push while %s is killed ends once', async name => {
    const space = await aSpace(stack)
    const row = await lockRow(databaseUrl(stack.dataDir, 'content'), { table: 'spaces', id: space.spaceId })
    const operation = await startPush(space, files, { changeRequest: { subject: 'One' } })
    await untilAwaited(row)
    process.kill(stack.pidOf(name), 'SIGKILL')
    await row.release()
    const ended = await endOf(space, operation)
    expect(ended).toMatchObject({ state: 'success', changeRequest: expect.any(String) })
    const path = `/spaces/${space.spaceId}/change-requests?status=draft`
    expect(await request(stack, 'GET', path)).toMatchObject({
      count: 1,
      items: [{ id: ended.changeRequest, revision: ended.revision }],
    })
  })
})
