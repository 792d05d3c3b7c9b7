import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aServedRepository, change, exportTo, inRepository, stack, startExports, stopExports } from './exports.ts'
import { aSpace, importRepository } from './walk.ts'

beforeAll(startExports)
afterAll(stopExports)

const outside = { 'README.md': '# Code\n', 'src/main.c': 'int main() {}\n', '.github/workflows/ci.yml': 'on: push\n' }
const inside = { 'docs/README.md': '# Docs\n', 'docs/notes.txt': 'a note\n' }

const hostile = [
  '..',
  '../up',
  '../../etc/passwd',
  '/etc/passwd',
  '.git',
  '.git/config',
  '.GIT ',
  'git~1',
  '.g\u200cit/hooks/post-update',
  '.git::$INDEX_ALLOCATION',
  'C:\\windows',
  'a\\..\\..\\b',
  'con',
  '%2e%2e%2fup',
  '~root',
  '-rf',
  '$(id)',
  '\u202egnp.exe',
  'n'.repeat(250),
  'SUMMARY',
  'README',
  '.gitbook',
  '.gitbook.yaml',
  '.gitattributes',
  '.gitmodules',
  'notes.txt',
]

const entriesOf = async (path: string) =>
  (await inRepository(path, 'ls-tree', '-r', '-z', 'main')).split('\0').filter(Boolean)

/** Sends a change that may be refused, as invalid or as a name that is taken. */
async function tried(spaceId: string, edit: object): Promise<boolean> {
  return change(spaceId, [edit]).then(
    () => true,
    (error: { code?: number }) => {
      expect([400, 409]).toContain(error.code)
      return false
    },
  )
}

it('an export writes below its project directory only, whatever pages and files are called', async () => {
  const { repository, url } = await aServedRepository({ ...outside, ...inside })
  const { spaceId } = await aSpace(stack)
  const body = { repoProjectDirectory: 'docs' }
  expect(await importRepository(stack, spaceId, url, { body })).toMatchObject({ state: 'success' })
  const before = (await entriesOf(repository.path)).filter(line => !line.includes('\tdocs/'))
  let accepted = 0
  for (const [at, name] of hostile.entries()) {
    const document = { markdown: `# Page ${at}\n` }
    const edits = [
      { operation: 'insert_page', title: name, document },
      { operation: 'insert_page', title: `Page ${at}`, slug: name, document },
      { operation: 'insert_files', files: [{ name, base64: Buffer.from(`file ${at}`).toString('base64') }] },
      {
        operation: 'insert_files',
        files: [{ name: `${name}.md`, base64: Buffer.from(`text ${at}`).toString('base64') }],
      },
    ]
    for (const edit of edits) if (await tried(spaceId, edit)) accepted++
  }
  expect(accepted).toBeGreaterThan(hostile.length * 2)
  expect(await exportTo(spaceId, url, body)).toMatchObject({ state: 'success', revision: expect.any(String) })
  const after = await entriesOf(repository.path)
  expect(after.filter(line => !line.includes('\tdocs/'))).toEqual(before)
  expect(after.length).toBeGreaterThan(before.length + accepted)
  const exportedPaths = after
    .filter(line => line.includes('\tdocs/'))
    .map(line => line.slice(line.indexOf('\tdocs/') + '\tdocs/'.length))
  const bad = exportedPaths.filter(path =>
    path
      .split('/')
      .some(name => /^(\.{1,2}|\.git[ .]*|git~\d)$/iu.test(name.replace(/[\u200b-\u200f]/g, '').split(':')[0] ?? '')),
  )
  expect(bad).toEqual([])
  expect(exportedPaths.filter(path => path.split('/').some(name => Buffer.byteLength(name) > 255))).toEqual([])
  expect(await inRepository(repository.path, 'show', 'main:docs/notes.txt')).toBe('a note\n')
  await inRepository(repository.path, 'fsck', '--strict')
  // A second export has nothing to write.
  expect(await exportTo(spaceId, url, body)).toMatchObject({ state: 'success' })
  expect((await entriesOf(repository.path)).length).toBe(after.length)
})
