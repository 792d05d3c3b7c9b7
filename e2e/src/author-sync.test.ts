import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  anEmptyRepository,
  aServedRepository,
  change,
  exportTo,
  manual,
  pageId,
  stack,
  startExports,
  stopExports,
} from './exports.ts'
import { aSpace, importRepository, request } from './walk.ts'

const command = join(import.meta.dirname, '../../dist/apps/cli/main.js')
const folders: string[] = []
const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-sync-'))
  folders.push(folder)
  return folder
}

let home: string
beforeAll(async () => {
  await startExports()
  home = aFolder()
  await recto(['login', stack.url, '--token-stdin'], { input: stack.token })
})
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await stopExports()
})

interface RunOptions {
  input?: string
  env?: Record<string, string>
}

/** Runs the author's command with a home of its own. */
async function recto(args: string[], { input = '', env = {} }: RunOptions = {}) {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: dirname(process.execPath), HOME: home, XDG_CONFIG_HOME: home, ...env },
  })
  let output = ''
  let notes = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (notes += chunk.toString()))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, output, notes }
}

/** The files of a folder with their texts, without those of git and of a pull. */
function filesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const texts = paths.map(path => [relative(folder, path), readFileSync(path, 'latin1')] as const)
  return Object.fromEntries(texts.filter(([path]) => !/^\.(git|recto)\//.test(path)).toSorted())
}

function clone(repository: string): string {
  const folder = aFolder()
  execFileSync('git', ['clone', '--quiet', repository, folder])
  return folder
}

const statusOf = (folder: string) =>
  execFileSync('git', ['-C', folder, 'status', '--porcelain', '--untracked-files=all'], { encoding: 'utf8' })

/** A space that was imported from a repository. */
async function anImportedSpace(files: Record<string, string | Buffer> = manual) {
  const { repository, url } = await aServedRepository(files)
  const { spaceId } = await aSpace(stack)
  expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
  return { spaceId, url, path: repository.path }
}

const edit = async (spaceId: string, title: string, markdown: string) =>
  change(spaceId, [{ operation: 'update_page', page: await pageId(spaceId, title), document: { markdown } }])

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
    expect(await recto(['pull', 'nothing', aFolder()])).toMatchObject({ code: 2, output: '' })
  })
})

/** A folder that was pulled from a space which was imported from a repository. */
async function aPulledFolder() {
  const space = await anImportedSpace()
  const folder = clone(space.path)
  expect(await recto(['pull', space.spaceId, folder])).toMatchObject({ code: 0 })
  return { ...space, folder }
}

const write = (folder: string, path: string, text: string) => writeFileSync(join(folder, path), text)
const mainOf = async (spaceId: string) => (await stack.client.spaces.getSpaceById(spaceId)).data.revision

/** The warning of an import of the manual. */
const warningOfTags = '.gitbook/tags.yaml: The tag 2 of the list is left out: it is not a map\n'

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
