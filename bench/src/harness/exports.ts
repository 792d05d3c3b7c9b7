import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Api } from './api.ts'
import { run, waitForExit } from './children.ts'
import type { Cleanup } from './cleanup.ts'
import { nativeGit, type RepositoryFolder, waitForOperation } from './imports.ts'

/** Writes a text to a page of main content. */
export async function editPage(api: Api, space: string, edit: { page: string; markdown: string }): Promise<void> {
  const { page, markdown } = edit
  await api.post(`/spaces/${space}/content`, { changes: [{ operation: 'update_page', page, document: { markdown } }] })
}

/** Exports main content to the branch `main`; resolves to the seconds from the request until the commit is there. */
export async function exportContent(api: Api, space: string, to: RepositoryFolder): Promise<number> {
  const started = performance.now()
  await api.post(`/spaces/${space}/git/export`, { ...to, ref: 'refs/heads/main', commitMessage: 'Edit a page' })
  await waitForOperation(api, space)
  return (performance.now() - started) / 1000
}

/** Seconds of a change that native git makes. */
export interface NativeChange {
  /** Of `git clone --depth 1`, the commit and `git push`. */
  all: number
  /** The time of the commit and `git push` alone. */
  push: number
}

/** Adds a line to one of the pages of a branch with native git: clones it, commits and pushes. */
export async function pushNatively(
  cleanup: Cleanup,
  folder: string,
  { url, branch }: { url: string; branch: string },
): Promise<NativeChange> {
  const target = await mkdtemp(join(folder, 'push-'))
  const clone = join(target, 'clone')
  const git = async (...args: string[]) => waitForExit(run(cleanup, ['git', ...args], { env: nativeGit }))
  const started = performance.now()
  await git('clone', '--quiet', '--depth', '1', '--branch', branch, url, clone)
  const cloned = performance.now()
  const pages = (await git('-C', clone, 'ls-files', '*.md')).trim().split('\n')
  const page = join(clone, pages[pages.length >> 1] ?? '')
  await writeFile(page, `${await readFile(page, 'utf8')}\nOne more line.\n`)
  const edited = performance.now()
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com']
  await git('-C', clone, ...author, 'commit', '--quiet', '--all', '--message', 'Edit a page')
  await git('-C', clone, 'push', '--quiet', 'origin', branch)
  const pushed = performance.now()
  await rm(target, { recursive: true, force: true })
  return { all: (cloned - started + pushed - edited) / 1000, push: (pushed - edited) / 1000 }
}

/** Paths of the files that the last commit of a branch changed. */
export async function filesOfLastCommit(cleanup: Cleanup, repository: string, branch: string): Promise<string[]> {
  const args = ['-C', repository, 'show', '--name-only', '--format=', branch]
  return (await waitForExit(run(cleanup, ['git', ...args], { env: nativeGit }))).trim().split('\n')
}

/** Creates a branch at the tip of `main`, or moves it there. */
export async function branchOff(cleanup: Cleanup, repository: string, branch: string): Promise<void> {
  await waitForExit(run(cleanup, ['git', '-C', repository, 'branch', '--force', branch, 'main'], { env: nativeGit }))
}
