import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect } from '@jest/globals'
import { aServedRepository, change, manual, pageId, stack, startExports, stopExports } from './exports.ts'
import { aSpace, importRepository } from './walk.ts'

const command = join(import.meta.dirname, '../../dist/apps/cli/main.js')
const folders: string[] = []
/** Makes a folder, which is removed at the end. */
export const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-sync-'))
  folders.push(folder)
  return folder
}

let home: string

/** Starts the stack with a login of its administrator. */
export async function startSync(): Promise<void> {
  await startExports()
  home = aFolder()
  await recto(['login', stack.url, '--token-stdin'], { input: stack.token })
}

/** Removes all folders, and stops the stack. */
export async function stopSync(): Promise<void> {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await stopExports()
}

interface RunOptions {
  input?: string
  env?: Record<string, string>
}

/** Runs the author's command with a home of its own. */
export async function recto(args: string[], { input = '', env = {} }: RunOptions = {}) {
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
export function filesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const texts = paths.map(path => [relative(folder, path), readFileSync(path, 'latin1')] as const)
  return Object.fromEntries(texts.filter(([path]) => !/^\.(git|recto)\//.test(path)).toSorted())
}

/** Clones a repository into a folder. */
export function clone(repository: string): string {
  const folder = aFolder()
  execFileSync('git', ['clone', '--quiet', repository, folder])
  return folder
}

/** The output of `git status` for a folder: empty where it is as its commit. */
export const statusOf = (folder: string) =>
  execFileSync('git', ['-C', folder, 'status', '--porcelain', '--untracked-files=all'], { encoding: 'utf8' })

/** A space that was imported from a repository. */
export async function anImportedSpace(files: Record<string, string | Buffer> = manual) {
  const { repository, url } = await aServedRepository(files)
  const { spaceId } = await aSpace(stack)
  expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
  return { spaceId, url, path: repository.path }
}

/** Writes another text of a page by its title. */
export const edit = async (spaceId: string, title: string, markdown: string) =>
  change(spaceId, [{ operation: 'update_page', page: await pageId(spaceId, title), document: { markdown } }])

/** A folder that was pulled from a space which was imported from a repository. */
export async function aPulledFolder() {
  const space = await anImportedSpace()
  const folder = clone(space.path)
  expect(await recto(['pull', space.spaceId, folder])).toMatchObject({ code: 0 })
  return { ...space, folder }
}

/** Writes a file of a folder. */
export const write = (folder: string, path: string, text: string) => writeFileSync(join(folder, path), text)
/** The revision of main content. */
export const mainOf = async (spaceId: string) => (await stack.client.spaces.getSpaceById(spaceId)).data.revision

/** The warning of an import of the manual. */
export const warningOfTags = '.gitbook/tags.yaml: The tag 2 of the list is left out: it is not a map\n'
