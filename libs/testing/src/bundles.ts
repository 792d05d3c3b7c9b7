import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { removeFolder } from './remove-folder.ts'

const run = promisify(execFile)
const repositoryRoot = resolve(import.meta.dirname, '../../..')

/** The absolute path of a file of the folder `shared/data` beside the repository; undefined when it is missing. */
export function sharedBundle(name: string): string | undefined {
  const path = resolve(repositoryRoot, '../shared/data', name)
  return existsSync(path) ? path : undefined
}

/** Clones a bundle (or any repository that git can read) bare into a temporary folder. */
export async function cloneBundle(path: string): Promise<{ path: string; commit: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-bundle-'))
  await run('git', ['clone', '--quiet', '--bare', path, folder])
  const { stdout } = await run('git', ['-C', folder, 'rev-parse', 'HEAD'])
  return { path: folder, commit: stdout.trim(), remove: () => removeFolder(folder) }
}

/** The Markdown files of the newest commit of a bundle: their paths and texts. */
export async function markdownOfBundle(bundle: string): Promise<[path: string, text: string][]> {
  const { path, commit, remove } = await cloneBundle(bundle)
  const git = async (...args: string[]) =>
    (await run('git', ['-C', path, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout
  try {
    const files = (await git('ls-tree', '-r', '-z', '--name-only', commit)).split('\0')
    const texts: [string, string][] = []
    for (const file of files.filter(name => name.endsWith('.md')))
      texts.push([file, await git('show', `${commit}:${file}`)])
    return texts
  } finally {
    await remove()
  }
}
