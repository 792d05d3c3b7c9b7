import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { aGitServer, aRepository, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { removeData, startStack, type Stack } from './stack.ts'
import { aSpace, importRepository, request, waitForEnd, type GitOperation } from './walk.ts'

const run = promisify(execFile)

let stack: Stack
let git: GitServer
const made: TestRepository[] = []
const served: Record<string, string> = {}

beforeAll(async () => {
  git = await aGitServer({ repositories: served })
  stack = await startStack({ env: { RATE_LIMIT: '100000' } })
}, 120_000)

afterAll(async () => {
  await stack?.stop()
  await git?.stop()
  await Promise.all([stack && removeData(stack.dataDir), ...made.map(repository => repository.remove())])
})

async function served1(files: Record<string, string | Buffer>): Promise<{ repository: TestRepository; url: string }> {
  const repository = await aRepository({ files })
  made.push(repository)
  const name = `r${made.length}`
  served[name] = repository.path
  return { repository, url: git.url(name) }
}

async function exportTo(spaceId: string, url: string, body: Record<string, unknown> = {}): Promise<GitOperation> {
  await stack.client.spaces.exportToGitRepository(spaceId, {
    ...{ url, ref: 'refs/heads/main', commitMessage: 'Export' },
    ...body,
  })
  const { items } = await request<{ items: GitOperation[] }>(stack, 'GET', `/spaces/${spaceId}/git/operations?limit=1`)
  return waitForEnd(stack, spaceId, items[0]?.id ?? '')
}

const inRepository = async (path: string, ...args: string[]) => (await run('git', ['-C', path, ...args])).stdout
const commits = async (path: string) => (await inRepository(path, 'rev-list', '--count', 'main')).trim()
const changedFiles = async (path: string) =>
  (await inRepository(path, 'show', '--name-status', '--no-renames', '--format=', 'main')).trim().split('\n')
const change = (spaceId: string, changes: object[]) => request(stack, 'POST', `/spaces/${spaceId}/content`, { changes })

interface Listed {
  id: string
  title: string
  pages?: Listed[]
}
const flat = (pages: Listed[]): Listed[] => pages.flatMap(page => [page, ...flat(page.pages ?? [])])
async function pageId(spaceId: string, title: string): Promise<string> {
  const { pages } = (await stack.client.spaces.listPages(spaceId)).data
  return flat(pages as Listed[]).find(page => page.title === title)?.id ?? ''
}

const manual = {
  '.gitbook.yaml': '# kept\nroot: ./\n\nredirects:\n  old: guide/setup.md\n',
  'SUMMARY.md':
    '# Table of contents\r\n\r\n* [Home](README.md)\r\n* [Guide](guide/README.md "The guide")\r\n  * [Setup](guide/setup.md)\r\n\r\n## More\r\n\r\n* [Site](https://example.org)\r\n',
  'README.md': '---\ndescription: Hi  # a comment\nicon: house\n---\n\n# Home  \n\ntext\n',
  'guide/README.md': '\ufeff# Guide\r\n\r\nwindows\r\n',
  'guide/setup.md': '# Setup\n\n![](../.gitbook/assets/a.png)\n',
  '.gitbook/assets/a.png': Buffer.from([1, 2, 3]),
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nNote\n',
  '.gitbook/vars.yaml': 'version: 3 # three\n',
  'code/main.c': 'int main() {}\n',
  'unlisted.md': '# Unlisted\n',
}

describe('an export of what was imported', () => {
  it('makes no commit, and one edited page changes that file only', async () => {
    const { repository, url } = await served1(manual)
    const { spaceId } = await aSpace(stack)
    await importRepository(stack, spaceId, url)
    const unchanged = await exportTo(spaceId, url)
    expect(unchanged).toMatchObject({ state: 'success', commit: repository.commit })
    expect(await commits(repository.path)).toBe('1')
    const page = await pageId(spaceId, 'Setup')
    await change(spaceId, [{ operation: 'update_page', page, document: { markdown: '# Setup\n\nnew\n' } }])
    const done = await exportTo(spaceId, url)
    expect(done).toMatchObject({ state: 'success' })
    expect(await changedFiles(repository.path)).toEqual(['M\tguide/setup.md'])
    await inRepository(repository.path, 'fsck', '--strict')
    const again = await exportTo(spaceId, url)
    expect(again).toMatchObject({ state: 'success', commit: done.commit, revision: done.revision })
    expect(await commits(repository.path)).toBe('2')
    const back = await importRepository(stack, spaceId, url)
    expect(back).toMatchObject({ state: 'success', revision: done.revision })
    const { data: revision } = await stack.client.spaces.getCurrentRevision(spaceId)
    expect(revision).toMatchObject({ id: done.revision, git: { oid: done.commit, createdByGitBook: true } })
  }, 60_000)
})
