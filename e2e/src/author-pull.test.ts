import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  aFolder,
  aPulledFolder,
  anImportedSpace,
  clone,
  edit,
  filesOf,
  recto,
  startSync,
  statusOf,
  stopSync,
  write,
} from './author-sync.ts'
import { anEmptyRepository, change, exportTo, pageId, stack } from './exports.ts'
import { aSpace, request } from './walk.ts'

beforeAll(startSync)
afterAll(stopSync)

describe('recto login', () => {
  it('A token is saved after a check, for its owner alone, and deleted by a logout', async () => {
    const own = aFolder()
    const env = { XDG_CONFIG_HOME: own }
    const refused = await recto(['login', stack.url, '--token-stdin'], { env, input: 'no-token' })
    expect([refused.code, existsSync(join(own, 'recto/credentials.json'))]).toEqual([2, false])
    const login = await recto(['login', stack.url, '--token-stdin', '--json'], { env, input: `${stack.token}\n` })
    expect(login).toMatchObject({ code: 0, notes: '' })
    expect(JSON.parse(login.output)).toMatchObject({ url: stack.url, loggedIn: true })
    const modes = ['recto', 'recto/credentials.json'].map(name => statSync(join(own, name)).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600])
    const status = await recto(['login', '--status'], { env })
    expect([status.code, `${login.output}${status.output}${refused.notes}`.includes(stack.token)]).toEqual([0, false])
    expect(await recto(['logout'], { env })).toMatchObject({ code: 0 })
    expect(await recto(['login', '--status'], { env })).toMatchObject({ code: 1 })
    const ofEnvironment = { ...env, RECTO_URL: stack.url, RECTO_TOKEN: stack.token }
    expect(await recto(['login', '--status'], { env: ofEnvironment })).toMatchObject({ code: 0 })
  })
})

describe('recto pull', () => {
  it('An empty folder gets the files of the space byte for byte, and a second pull writes nothing', async () => {
    const { spaceId } = await anImportedSpace()
    const folder = join(aFolder(), 'docs')
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, notes: '' })
    const empty = await anEmptyRepository()
    expect(await exportTo(spaceId, empty.url)).toMatchObject({ state: 'success' })
    expect(filesOf(folder)).toEqual(filesOf(clone(empty.path)))
    // The export has made a revision of its own.
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
    const state = readFileSync(join(folder, '.recto/state.json'))
    const timeOfReadme = statSync(join(folder, 'README.md')).mtimeMs
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
    expect(readFileSync(join(folder, '.recto/state.json'))).toEqual(state)
    expect(statSync(join(folder, 'README.md')).mtimeMs).toBe(timeOfReadme)
  })

  it('A clone stays clean, and then gets what an export would push', async () => {
    const { spaceId, url, path } = await anImportedSpace()
    const folder = clone(path)
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
    expect(statusOf(folder)).toBe('')
    await edit(spaceId, 'Setup', '# Setup\r\n\r\nnew text\r\n')
    const page = await pageId(spaceId, 'Setup')
    await change(spaceId, [
      { operation: 'insert_page', title: 'Added page', document: { markdown: '# Added page\n\nText\n' } },
      { operation: 'update_page', page, title: 'Another title' },
      { operation: 'insert_files', files: [{ name: 'note.txt', base64: Buffer.from('note').toString('base64') }] },
    ])
    const pull = await recto(['pull', spaceId, folder, '--json'])
    expect([pull.code, pull.notes]).toEqual([0, ''])
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success' })
    expect(filesOf(folder)).toEqual(filesOf(clone(path)))
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0, output: 'Nothing has changed\n' })
    await change(spaceId, [{ operation: 'delete_page', page: await pageId(spaceId, 'Added page') }])
    expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 0 })
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success' })
    expect(filesOf(folder)).toEqual(filesOf(clone(path)))
  })

  it('What both changed is a conflict and nothing is written; what only the folder changed stays', async () => {
    const { spaceId, path } = await anImportedSpace()
    const folder = clone(path)
    await recto(['pull', spaceId, folder])
    writeFileSync(join(folder, 'guide/setup.md'), '# Setup\n\nof the folder\n')
    writeFileSync(join(folder, 'README.md'), '# Home\n\nof the folder, too\n')
    await edit(spaceId, 'Setup', '# Setup\n\nof the space\n')
    const before = filesOf(folder)
    const pull = await recto(['pull', spaceId, folder])
    expect(pull).toMatchObject({ code: 1, output: 'conflict guide/setup.md\n' })
    expect(filesOf(folder)).toEqual(before)
    expect(await recto(['pull', spaceId, folder, '--force'])).toMatchObject({
      code: 0,
      output: 'written  guide/setup.md\n',
    })
    const after = filesOf(folder)
    expect([after['guide/setup.md'], after['README.md']]).toEqual(['# Setup\n\nof the space\n', before['README.md']])
  })

  it('A change request is pulled by its number, and a folder of one space takes no other', async () => {
    const { spaceId } = await anImportedSpace()
    const page = await pageId(spaceId, 'Setup')
    const { number, id } = (await stack.client.spaces.createChangeRequest(spaceId, { subject: 'Text' })).data
    const document = { markdown: '# Setup\n\nproposed\n' }
    await request(stack, 'POST', `/spaces/${spaceId}/change-requests/${id}/content`, {
      changes: [{ operation: 'update_page', page, document }],
    })
    const folder = aFolder()
    expect(await recto(['pull', spaceId, folder, '--change-request', String(number)])).toMatchObject({ code: 0 })
    expect(filesOf(folder)['guide/setup.md']).toBe(document.markdown)
    const other = await aSpace(stack)
    expect(await recto(['pull', other.spaceId, folder])).toMatchObject({ code: 2 })
    const nowhere = join(aFolder(), 'docs')
    expect(await recto(['pull', 'nothing', nowhere])).toMatchObject({ code: 2, output: '' })
    expect(existsSync(nowhere)).toBe(false)
  })

  it('A token with the scope read is enough', async () => {
    const { spaceId } = await anImportedSpace()
    const body = { name: 'reader', scopes: ['read'] }
    const { token } = await request<{ token: string }>(stack, 'POST', '/user/tokens', body)
    const env = { RECTO_URL: stack.url, RECTO_TOKEN: token }
    expect(await recto(['pull', spaceId, aFolder()], { env })).toMatchObject({ code: 0, notes: '' })
  })

  it('A first pull finds files of the folder under the names of pages in conflict, and a forced one copies them', async () => {
    const { spaceId } = await aSpace(stack)
    await change(spaceId, [
      { operation: 'insert_page', title: 'Home', document: { markdown: '# Home\n' } },
      { operation: 'insert_page', title: 'Child', document: { markdown: '# Child\n\nof the space\n' } },
    ])
    const folder = aFolder()
    const own = { 'child.md': '# Child\n\nmine\n', 'mine.md': '# Mine\n', 'SUMMARY.md': '* [Mine](mine.md)\n' }
    for (const [path, text] of Object.entries(own)) write(folder, path, text)
    const refused = await recto(['pull', spaceId, folder])
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('conflict child.md\n')])
    expect(filesOf(folder)).toEqual(own)
    const forced = await recto(['pull', spaceId, folder, '--force'])
    expect([forced.code, filesOf(folder)['child.md']]).toEqual([0, '# Child\n\nof the space\n'])
    const [, copies = ''] = /replaced files are in (.*)\n/.exec(forced.notes) ?? []
    expect(filesOf(copies)).toEqual({ 'child.md': own['child.md'], 'SUMMARY.md': own['SUMMARY.md'] })
    const summary = readFileSync(join(folder, 'SUMMARY.md'), 'utf8')
    expect(summary.match(/\(\S+\)/g)?.toSorted()).toEqual(['(child.md)', '(home.md)', '(mine.md)'])
    expect(await recto(['push', folder])).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 added, 0 changed'),
    })
    expect(await pageId(spaceId, 'Mine')).toEqual(expect.any(String))
  })

  it('A forced pull of a page whose file the folder deleted lists it once', async () => {
    const { spaceId, folder } = await aPulledFolder()
    for (const isListed of [true, false]) {
      const summary = readFileSync(join(folder, 'SUMMARY.md'), 'utf8')
      rmSync(join(folder, 'guide/setup.md'))
      if (!isListed) write(folder, 'SUMMARY.md', summary.replace(/^.*setup\.md.*\r?\n/m, ''))
      await edit(spaceId, 'Setup', `# Setup\n\nlisted ${isListed}\n`)
      expect(await recto(['pull', spaceId, folder])).toMatchObject({ code: 1 })
      expect(await recto(['pull', spaceId, folder, '--force'])).toMatchObject({ code: 0 })
      const entries = readFileSync(join(folder, 'SUMMARY.md'), 'utf8').match(/\(guide\/setup\.md\)/g)
      expect([isListed, entries]).toEqual([isListed, ['(guide/setup.md)']])
    }
  })
})
