import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  aServedClone,
  change,
  changedFiles,
  exportTo,
  imported,
  inRepository,
  manual,
  pageId,
  servedAs,
  stack,
  startExports,
  stopExports,
  summaryDiff,
} from './exports.ts'
import { importRepository } from './walk.ts'

beforeAll(startExports)
afterAll(stopExports)

/** Edits a page and adds one, as people do between an import and an export. */
async function edit(spaceId: string): Promise<void> {
  await change(spaceId, [
    { operation: 'update_page', page: await pageId(spaceId, 'Setup'), document: { markdown: '# Setup\n\nmine\n' } },
    { operation: 'insert_page', title: 'Mine', into: await pageId(spaceId, 'The guide'), document: { markdown: 'm' } },
  ])
}

async function expectEditInPlace(path: string): Promise<void> {
  expect(await changedFiles(path)).toEqual(['M\tSUMMARY.md', 'A\tguide/mine.md', 'M\tguide/setup.md'])
  expect(await summaryDiff(path)).toEqual(['+  * [Mine](guide/mine.md)'])
  expect(await inRepository(path, 'show', 'main:guide/setup.md')).toBe('# Setup\n\nmine\n')
}

describe('an export edits files in place', () => {
  it('when the repository has another address', async () => {
    const { spaceId, path } = await imported()
    await edit(spaceId)
    expect(await exportTo(spaceId, servedAs(path))).toMatchObject({ state: 'success' })
    await expectEditInPlace(path)
  })

  it('when the repository was imported from one address and then from another', async () => {
    const { spaceId, path, url, repository } = await imported()
    await repository.addCommit({
      'guide/later.md': '# Later\n',
      'SUMMARY.md': manual['SUMMARY.md'].replace('\r\n## More', '  * [Later](guide/later.md)\r\n\r\n## More'),
    })
    await importRepository(stack, spaceId, servedAs(path))
    const page = await pageId(spaceId, 'Later')
    await change(spaceId, [{ operation: 'update_page', page, document: { markdown: '# Later\n\nmine\n' } }])
    await exportTo(spaceId, url)
    expect(await changedFiles(path)).toEqual(['M\tguide/later.md'])
  })

  it('of a mirror with commits of its own, which stay', async () => {
    const { spaceId, path } = await imported()
    const mirror = await aServedClone(path)
    const commitTree = async (message: string) => {
      const identity = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com']
      const made = ['commit-tree', 'main^{tree}', '-p', 'main', '-m', message]
      await inRepository(mirror.path, 'update-ref', 'refs/heads/main', await oidOf(mirror.path, ...identity, ...made))
    }
    for (const message of ['One', 'Two', 'Three']) await commitTree(message)
    await edit(spaceId)
    await exportTo(spaceId, mirror.url)
    await expectEditInPlace(mirror.path)
    expect((await inRepository(mirror.path, 'rev-list', '--count', 'main')).trim()).toBe('5')
  })

  it.each([
    ['before its source was edited', false],
    ['after its source was edited', true],
  ])('of a space that was duplicated %s', async (_title, isEdited) => {
    const { spaceId, path, url } = await imported()
    if (isEdited) await edit(spaceId)
    const copy = (await stack.client.spaces.duplicateSpace(spaceId)).data.id
    if (!isEdited) await edit(copy)
    const copyOfCopy = (await stack.client.spaces.duplicateSpace(copy)).data.id
    const before = await inRepository(path, 'rev-parse', 'main')
    await exportTo(copy, url)
    await expectEditInPlace(path)
    await inRepository(path, 'update-ref', 'refs/heads/main', before.trim())
    await exportTo(copyOfCopy, url)
    await expectEditInPlace(path)
  })
})

const oidOf = async (path: string, ...args: string[]) => (await inRepository(path, ...args)).trim()
