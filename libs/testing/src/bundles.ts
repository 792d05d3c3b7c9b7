import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

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
  return { path: folder, commit: stdout.trim(), remove: () => rm(folder, { recursive: true, force: true }) }
}
