import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { aGitServer, aRepository, cloneBundle, type GitServer, type TestRepository } from '@recto/testing'
import { expect } from '@jest/globals'
import { sharedStack } from './shared-stack.ts'
import { removeData, startStack, usualTime, type Installation } from './stack.ts'
import { aSpace, importRepository, request, waitForEnd, type GitOperation } from './walk.ts'

const run = promisify(execFile)

export let stack: Installation
let git: GitServer
const made: { remove(): Promise<void> }[] = []
const served: Record<string, string> = {}
let stopOwn = async (): Promise<void> => undefined

/** Starts a git server, for exports of the shared stack. */
export async function startExports(): Promise<void> {
  git = await aGitServer({ repositories: served })
  stack = await sharedStack()
}

/** Starts a git server, and a stack for a file that stops processes or has the product ask by itself. */
export async function startOwnExports(): Promise<void> {
  git = await aGitServer({ repositories: served })
  const own = await startStack({ env: { ...usualTime, RATE_LIMIT: '100000' } })
  stack = own
  stopOwn = async () => {
    await own.stop()
    await removeData(own.dataDir)
  }
}

/** Stops what was started, and deletes what it stored. */
export async function stopExports(): Promise<void> {
  await stopOwn()
  await git?.stop()
  await Promise.all(made.map(repository => repository.remove()))
}

/** A repository that the git server serves. */
export async function aServedRepository(
  files: Record<string, string | Buffer>,
): Promise<{ repository: TestRepository; url: string }> {
  const repository = await aRepository({ files })
  made.push(repository)
  const name = `r${made.length}`
  served[name] = repository.path
  return { repository, url: git.url(name) }
}

/** A clone of a bundle that the git server serves. */
export async function aServedClone(bundle: string): Promise<{ path: string; url: string }> {
  const clone = await cloneBundle(bundle)
  made.push(clone)
  const name = `r${made.length}`
  served[name] = clone.path
  return { path: clone.path, url: git.url(name) }
}

/** Another address of a repository that the git server serves. */
export function servedAs(path: string): string {
  const name = `again-${Object.keys(served).length}`
  served[name] = path
  return git.url(name)
}

/** Starts an export and returns its operation when it has ended. */
export async function exportTo(
  spaceId: string,
  url: string,
  body: Record<string, unknown> = {},
): Promise<GitOperation> {
  await stack.client.spaces.exportToGitRepository(spaceId, {
    url,
    ref: 'refs/heads/main',
    commitMessage: 'Export',
    ...body,
  })
  const { items } = await request<{ items: GitOperation[] }>(stack, 'GET', `/spaces/${spaceId}/git/operations?limit=1`)
  return waitForEnd(stack, spaceId, items[0]?.id ?? '')
}

export const inRepository = async (path: string, ...args: string[]) => (await run('git', ['-C', path, ...args])).stdout
export const commits = async (path: string) => (await inRepository(path, 'rev-list', '--count', 'main')).trim()
export const changedFiles = async (path: string) =>
  (await inRepository(path, 'show', '--name-status', '--no-renames', '--format=', 'main')).trim().split('\n')
export const change = (spaceId: string, changes: object[]) =>
  request(stack, 'POST', `/spaces/${spaceId}/content`, { changes })

interface Listed {
  id: string
  title: string
  pages?: Listed[]
}
const flat = (pages: Listed[]): Listed[] => pages.flatMap(page => [page, ...flat(page.pages ?? [])])
export async function pageId(spaceId: string, title: string): Promise<string> {
  const { pages } = (await stack.client.spaces.listPages(spaceId)).data
  return flat(pages as Listed[]).find(page => page.title === title)?.id ?? ''
}

/** A repository with all that an export has to keep. */
export const manual = {
  '.gitbook.yaml': '# kept\nroot: ./\n\nredirects:\n  old: guide/setup.md\n',
  'SUMMARY.md':
    '# Table of contents\r\n\r\n* [Home](README.md)\r\n* [Guide](guide/README.md "The guide")\r\n  * [Setup](guide/setup.md)\r\n\r\n## More\r\n\r\n* [Site](https://example.org)\r\n',
  'README.md': '---\ndescription: Hi  # a comment\nicon: house\n---\n\n# Home  \n\ntext\n',
  'guide/README.md': '\ufeff# Guide\r\n\r\nwindows\r\n',
  'guide/setup.md': '# Setup\n\n![](../.gitbook/assets/a.png)\n',
  '.gitbook/assets/a.png': Buffer.from([1, 2, 3]),
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nNote\n',
  '.gitbook/vars.yaml': 'version: 3 # three\n',
  '.gitbook/tags.yaml': '- {tag: beta,   label: "Beta"} # odd\r\n- no tag\r\n',
  'code/main.c': 'int main() {}\n',
  'unlisted.md': '# Unlisted\n',
}

export const summaryOf = async (path: string) => inRepository(path, 'show', 'main:SUMMARY.md')
/** Lines of SUMMARY.md that the last commit took out and put in. */
export const summaryDiff = async (path: string) =>
  (await inRepository(path, 'show', '-U0', '--format=', 'main', '--', 'SUMMARY.md'))
    .split('\n')
    .filter(line => /^[-+](?![-+]{2} )/.test(line))
    .map(line => line.trimEnd())

export async function imported(files: Record<string, string | Buffer> = manual, body: Record<string, unknown> = {}) {
  const { repository, url } = await aServedRepository(files)
  const { spaceId } = await aSpace(stack)
  expect(await importRepository(stack, spaceId, url, { body })).toMatchObject({ state: 'success' })
  return { repository, url, spaceId, path: repository.path }
}

interface Shown extends Listed {
  type: string
  description?: string
  git?: { path: string }
  pages?: Shown[]
}

/** Types, titles, files and texts of a space's pages, and its files. */
export async function outlineOfSpace(spaceId: string) {
  const { client } = stack
  const { pages } = (await client.spaces.listPages(spaceId)).data
  const outlineOf = async ({ id, type, title, git, description, pages: below = [] }: Shown): Promise<unknown[]> => {
    const page = type === 'document' ? (await client.spaces.getPageById(spaceId, id, { format: 'markdown' })).data : {}
    const { markdown } = page as { markdown?: string }
    return [type, title, git?.path, description, markdown, await Promise.all(below.map(outlineOf))]
  }
  const files = (await client.spaces.listFiles(spaceId)).data.items
  return {
    pages: await Promise.all((pages as unknown as Shown[]).map(outlineOf)),
    files: files.map(({ name, size, git: blob }) => [name, size, blob]),
  }
}

export async function anEmptyRepository(): Promise<{ path: string; url: string }> {
  const { repository, url } = await aServedRepository({ 'x.txt': '' })
  await inRepository(repository.path, 'update-ref', '-d', 'refs/heads/main')
  return { path: repository.path, url }
}
