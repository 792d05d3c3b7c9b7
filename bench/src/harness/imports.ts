import { existsSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { aGitServer, aLargeRepository, aRepository, cloneBundle } from '@recto/testing'
import type { Api } from './api.ts'
import type { Bench } from './bench.ts'
import { waitForExit, run } from './children.ts'
import type { Cleanup } from './cleanup.ts'
import { config } from './config.ts'
import { root } from './stack.ts'

const pollMs = 10

interface Operation {
  id: string
  state: string
  error?: { message: string }
}

interface PageSummary {
  id: string
  type: string
  pages?: PageSummary[]
}

/** An import as seen by its caller. */
export interface ImportResult {
  /** From the request until the first page was read. */
  seconds: number
  /** Ids of the document pages. */
  pages: string[]
}

/** A repository, or a folder of it. */
export interface RepositoryFolder {
  url: string
  repoProjectDirectory?: string
}

/** The environment of native git: without the settings of the user. */
export const nativeGit = {
  ...config.environment,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
}

/** Waits until the last git operation of a space has succeeded; throws when it fails. */
export async function waitForOperation(api: Api, space: string): Promise<void> {
  const { items } = await api.get<{ items: Operation[] }>(`/spaces/${space}/git/operations?limit=1`)
  const [operation] = items
  if (!operation) throw new Error('There is no operation')
  for (let { state, error } = operation; state !== 'success'; await sleep(pollMs)) {
    if (state === 'failure') throw new Error(`The operation failed: ${error?.message}`)
    ;({ state, error } = await api.get<Operation>(`/spaces/${space}/git/operations/${operation.id}`))
    if (state === 'success') break
  }
}

/** Imports a repository, or a folder of it, into a space and waits until its pages can be read. */
export async function importRepository(
  api: Api,
  space: string,
  source: string | RepositoryFolder,
): Promise<ImportResult> {
  const body = typeof source === 'string' ? { url: source } : source
  const started = performance.now()
  await api.post(`/spaces/${space}/git/import`, { ...body, ref: 'refs/heads/main' })
  await waitForOperation(api, space)
  const { pages } = await api.get<{ pages: PageSummary[] }>(`/spaces/${space}/content/pages`)
  const ids = documentIds(pages)
  if (ids[0] === undefined) throw new Error('The import created no pages')
  await api.get(`/spaces/${space}/content/page/${ids[0]}`)
  return { seconds: (performance.now() - started) / 1000, pages: ids }
}

function documentIds(pages: PageSummary[]): string[] {
  return pages.flatMap(({ id, type, pages: below = [] }) => [
    ...(type === 'document' ? [id] : []),
    ...documentIds(below),
  ])
}

/** Seconds that `git clone --depth 1` takes. */
export async function cloneNatively(cleanup: Cleanup, folder: string, url: string): Promise<number> {
  const target = await mkdtemp(join(folder, 'clone-'))
  const started = performance.now()
  await waitForExit(
    run(cleanup, ['git', 'clone', '--quiet', '--depth', '1', url, join(target, 'clone')], { env: nativeGit }),
  )
  const seconds = (performance.now() - started) / 1000
  await rm(target, { recursive: true, force: true })
  return seconds
}

/** Seconds that native git takes for one folder of a repository: without history and without the files of other folders. */
export async function cloneFolderNatively(
  cleanup: Cleanup,
  into: string,
  { url, folder }: { url: string; folder: string },
): Promise<number> {
  const target = await mkdtemp(join(into, 'clone-'))
  const clone = join(target, 'clone')
  const git = async (...args: string[]) => waitForExit(run(cleanup, ['git', ...args], { env: nativeGit }))
  const started = performance.now()
  await git('clone', '--quiet', '--depth', '1', '--filter=blob:none', '--no-checkout', url, clone)
  await git('-C', clone, 'sparse-checkout', 'set', folder)
  await git('-C', clone, 'checkout', '--quiet')
  const seconds = (performance.now() - started) / 1000
  await rm(target, { recursive: true, force: true })
  return seconds
}

/** A repository served over HTTP and its description. */
export interface ServedRepository {
  url: string
  what: string
  /** Its folder on disk. */
  path: string
}

/** Serves a bare repository over HTTP. */
export async function serve(cleanup: Cleanup, path: string, what: string): Promise<ServedRepository> {
  const server = await aGitServer({ repositories: { docs: path } })
  cleanup.add(() => server.stop())
  return { url: server.url('docs'), what, path }
}

/** The real manual where its bundle is at hand, else a generated repository of about its size. */
export async function serveManual({ cleanup }: Bench): Promise<ServedRepository> {
  const bundle = join(root, '../shared/data/fluentd-docs.bundle')
  if (!existsSync(bundle)) return serveGenerated(cleanup, 200)
  const clone = await cloneBundle(bundle)
  cleanup.add(clone.remove)
  const env = { ...config.environment }
  const branch = (
    await waitForExit(run(cleanup, ['git', '-C', clone.path, 'symbolic-ref', '--short', 'HEAD'], { env }))
  ).trim()
  if (branch !== 'main')
    await waitForExit(run(cleanup, ['git', '-C', clone.path, 'branch', '-f', 'main', branch], { env }))
  return serve(cleanup, clone.path, 'fluentd-docs')
}

/** A repository with so many pages, all of one size, in sections of a hundred. */
export async function serveGenerated(cleanup: Cleanup, count: number): Promise<ServedRepository> {
  const repository = await aRepository({ files: generatedFiles(count) })
  cleanup.add(repository.remove)
  return serve(cleanup, repository.path, `a generated repository of ${count} pages`)
}

/** Files of code that do not compress, a megabyte each. */
function code(megabytes: number): [string, Buffer][] {
  return Array.from({ length: megabytes }, (_, at) => [`code/part-${at % 50}/data-${at}.bin`, randomBytes(2 ** 20)])
}

/** A repository of code with a manual of generated pages in one folder. */
export async function serveManualBesideCode(
  cleanup: Cleanup,
  size: { megabytes: number; pages: number },
): Promise<ServedRepository & { folder: string }> {
  const folder = 'docs'
  const pages = Object.entries(generatedFiles(size.pages)).map(([path, text]) => [`${folder}/${path}`, text])
  const repository = await aRepository({
    files: Object.fromEntries([...code(size.megabytes), ...pages]) as Record<string, Buffer | string>,
  })
  cleanup.add(repository.remove)
  const what = `${size.pages} pages beside ${size.megabytes} MB`
  return { ...(await serve(cleanup, repository.path, what)), folder }
}

/** A packed repository of large files that do not compress, with five folders of documentation; `folder` is one of them. */
export async function serveMonorepo(
  cleanup: Cleanup,
  megabytes: number,
): Promise<ServedRepository & { folder: string }> {
  const docs = Array.from({ length: 5 }, (_, at) => documentation(`packages/package-${at}/docs`)).flat()
  const others = { others: megabytes / 10, megabytes: 10 }
  const repository = await aLargeRepository({ files: Object.fromEntries(docs), ...others })
  cleanup.add(repository.remove)
  // A server of loose objects spends most of a clone on packing them, which would flatter what is compared with it.
  const repack = ['-C', repository.path, 'repack', '-adq', '--window=0']
  await waitForExit(run(cleanup, ['git', ...repack], { env: nativeGit }))
  return { ...(await serve(cleanup, repository.path, `${megabytes} MB`)), folder: 'packages/package-3/docs' }
}

function documentation(folder: string): [string, string][] {
  const names = ['install', 'configure', 'run', 'upgrade']
  const lines = names.map(name => `* [${name}](${name}.md)`)
  return [
    [`${folder}/README.md`, '# Start\n'],
    [`${folder}/SUMMARY.md`, ['# Summary', '', '* [Start](README.md)', ...lines, ''].join('\n')],
    ...names.map((name): [string, string] => [`${folder}/${name}.md`, `# ${name} ${folder}\n`]),
  ]
}

/** A repository with these pages, in the folders of their paths. */
export async function servePages(
  cleanup: Cleanup,
  pages: { path: string; title: string; markdown: string }[],
): Promise<ServedRepository> {
  const summary = ['# Table of contents', '']
  const files: Record<string, string> = {}
  for (const { path, title, markdown } of pages) {
    const [folder = ''] = path.split('/')
    const readme = `${folder}/README.md`
    if (!files[readme]) summary.push(`* [${folder}](${readme})`)
    files[readme] ??= `# ${folder}\n`
    files[`${path}.md`] = markdown
    summary.push(`  * [${title}](${path}.md)`)
  }
  const repository = await aRepository({ files: { ...files, 'SUMMARY.md': `${summary.join('\n')}\n` } })
  cleanup.add(repository.remove)
  return serve(cleanup, repository.path, 'a repository of given pages')
}

const perSection = 100
const paragraphs = 8

function generatedFiles(count: number): Record<string, string> {
  const files: Record<string, string> = {}
  const summary = ['# Table of contents', '']
  for (let at = 0; at < count; at++) {
    const isSection = at % perSection === 0
    const path = `section-${Math.floor(at / perSection)}/${isSection ? 'README' : `page-${at}`}.md`
    const lines = Array.from({ length: paragraphs }, (_, line) =>
      `Paragraph ${line} of page ${at} says what [the first](../section-0/README.md) left out, and \`option_${at}_${line}\` sets it. `
        .repeat(2)
        .trim(),
    )
    files[path] = [`# Page ${at}`, ...lines, ''].join('\n\n')
    summary.push(`${isSection ? '' : '  '}* [Page ${at}](${path})`)
  }
  return { ...files, 'SUMMARY.md': `${summary.join('\n')}\n` }
}
