import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  aFolder,
  aPulledFolder,
  anImportedSpace,
  clone,
  edit,
  filesOf,
  mainOf,
  recto,
  startSync,
  stopSync,
  warningOfTags,
  write,
} from './author-sync.ts'
import { aServedRepository, exportTo, manual, pageId, stack } from './exports.ts'
import { aSpace } from './walk.ts'

beforeAll(startSync)
afterAll(stopSync)

describe('recto push', () => {
  it('A folder becomes the content of its space byte for byte, pages keep their ids, and a second push sends nothing', async () => {
    const { spaceId, folder, path, url } = await aPulledFolder()
    const setup = await pageId(spaceId, 'Setup')
    write(folder, 'guide/setup.md', '# Setup\r\n\r\nnew  text \r\n')
    write(folder, 'guide/more.md', '# More of it\n')
    const summary = readFileSync(join(folder, 'SUMMARY.md'), 'utf8')
    write(folder, 'SUMMARY.md', summary.replace('setup.md)', 'setup.md)\r\n  * [More of it](guide/more.md)'))
    const before = filesOf(folder)
    const push = await recto(['push', folder, '--json'])
    expect([push.code, push.notes]).toEqual([0, warningOfTags])
    expect(JSON.parse(push.output)).toMatchObject({
      revision: await mainOf(spaceId),
      warnings: [{ path: '.gitbook/tags.yaml' }],
    })
    expect(filesOf(folder)).toEqual(before)
    expect([await pageId(spaceId, 'Setup'), typeof (await pageId(spaceId, 'More of it'))]).toEqual([setup, 'string'])
    expect(await recto(['push', folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success' })
    expect(filesOf(clone(path))).toEqual(before)
  })

  it('What has changed in the space is pulled before a push, unless it is forced', async () => {
    const { spaceId, folder } = await aPulledFolder()
    await edit(spaceId, 'Setup', '# Setup\n\nof the space\n')
    write(folder, 'README.md', '# Home\n\nof the folder\n')
    const main = await mainOf(spaceId)
    const refused = await recto(['push', folder])
    expect([refused.code, refused.notes, await mainOf(spaceId)]).toEqual([
      1,
      expect.stringContaining('Pull first'),
      main,
    ])
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, output: 'written  guide/setup.md\n' })
    expect(await recto(['push', folder])).toMatchObject({ code: 0 })
    const other = aFolder()
    expect(await recto(['pull', spaceId, other])).toMatchObject({ code: 0 })
    const texts = filesOf(other)
    expect([texts['README.md'], texts['guide/setup.md']]).toEqual([
      '# Home\n\nof the folder\n',
      '# Setup\n\nof the space\n',
    ])
  })

  it('A new change request gets what the folder changed, and main content stays', async () => {
    const { spaceId, folder } = await aPulledFolder()
    const main = await mainOf(spaceId)
    write(folder, 'guide/setup.md', '# Setup\n\nproposed\n')
    const push = await recto(['push', folder, '--subject', 'Better words', '--json'])
    expect([push.code, push.notes, await mainOf(spaceId)]).toEqual([0, warningOfTags, main])
    const { changeRequest } = JSON.parse(push.output) as { changeRequest: { id: string; number: number } }
    const { data } = await stack.client.spaces.getChangeRequestById(spaceId, changeRequest.id)
    expect(data).toMatchObject({ subject: 'Better words', number: changeRequest.number })
    write(folder, 'guide/setup.md', '# Setup\n\nproposed again\n')
    const again = await recto(['push', folder, '--change-request', String(changeRequest.number)])
    expect([again.code, again.notes]).toEqual([0, warningOfTags])
    await stack.client.spaces.mergeChangeRequest(spaceId, changeRequest.id)
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
  })

  it('A folder follows the change request that it was pushed to, or pulled from, until the space is pulled', async () => {
    const { spaceId, folder } = await aPulledFolder()
    const main = await mainOf(spaceId)
    const before = filesOf(folder)
    write(folder, 'guide/setup.md', '# Setup\n\nproposed\n')
    const push = await recto(['push', folder, '--subject', 'Better words'])
    expect(push.output).toMatch(/^Pushed to change request \d+ \(draft\): \d+ added, 1 changed, 0 removed; .*\nhttp/)
    const [number = ''] = /\d+/.exec(push.output) ?? []
    expect(await recto(['push', folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
    expect(await recto(['push', folder, '--subject', 'Other'])).toMatchObject({ code: 2, output: '' })
    const other = aFolder()
    expect(await recto(['pull', spaceId, other, '--change-request', number])).toMatchObject({ code: 0 })
    write(other, 'guide/setup.md', '# Setup\n\nproposed by another\n')
    const pushed = await recto(['push', other])
    expect([pushed.code, pushed.output]).toEqual([0, expect.stringContaining(`change request ${number}`)])
    expect(await mainOf(spaceId)).toBe(main)
    expect(await recto(['pull', spaceId, folder, '--change-request', number])).toMatchObject({ code: 0 })
    expect(filesOf(folder)['guide/setup.md']).toBe('# Setup\n\nproposed by another\n')
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0 })
    expect(filesOf(folder)).toEqual(before)
  })

  it('A folder without state fills a space without content, and no other', async () => {
    const folder = clone((await aServedRepository(manual)).repository.path)
    const before = filesOf(folder)
    const { spaceId } = await aSpace(stack)
    const other = await anImportedSpace()
    expect(await recto(['push', folder, '--space', other.spaceId])).toMatchObject({ code: 1, output: '' })
    const push = await recto(['push', folder, '--space', spaceId])
    expect([push.code, push.output]).toEqual([0, expect.stringContaining('0 changed, 0 removed')])
    expect(filesOf(folder)).toEqual(before)
    expect(await recto(['push', folder, '--space', other.spaceId])).toMatchObject({ code: 2, output: '' })
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
  })

  it('A folder that lost all of its pages is pushed when it is forced', async () => {
    const { spaceId, folder } = await aPulledFolder()
    const main = await mainOf(spaceId)
    for (const path of Object.keys(filesOf(folder)).filter(name => name.endsWith('.md'))) rmSync(join(folder, path))
    const refused = await recto(['push', folder])
    expect([refused.code, refused.notes]).toEqual([1, expect.stringContaining('has no page any more')])
    expect(await mainOf(spaceId)).toBe(main)
    expect(await recto(['push', folder, '--force'])).toMatchObject({ code: 0 })
  })

  it('A folder that was never pulled is refused, and so is one that an import refuses, and nothing changes', async () => {
    expect(await recto(['push', aFolder()])).toMatchObject({ code: 2, output: '' })
    const { spaceId, folder } = await aPulledFolder()
    const main = await mainOf(spaceId)
    write(folder, '.gitbook.yaml', 'root: [\n')
    const refused = await recto(['push', folder])
    expect([refused.code, refused.output, await mainOf(spaceId)]).toEqual([expect.any(Number), '', main])
    expect(refused.code).toBeGreaterThan(0)
    expect(refused.notes).toContain('.gitbook.yaml')
  })
})
