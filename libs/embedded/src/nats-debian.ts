import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

/** How to fetch a nats-server: working folder, target path and progress log. */
export interface FetchOptions {
  cacheDir: string
  target: string
  log: (line: string) => void
  releaseUrl: string
}

/** Extracts the server from Debian's package, without root and without installing it. Throws an `Error` on other systems. */
export async function fetchFromDebian({ cacheDir, target, log }: FetchOptions): Promise<void> {
  await access('/etc/debian_version').catch(() => {
    throw new Error('this is no Debian-like system')
  })
  log('downloading nats-server from the Debian archive')
  await mkdir(cacheDir, { recursive: true })
  const folder = await mkdtemp(join(cacheDir, 'apt-'))
  try {
    await download(folder)
    const archive = (await readdir(folder)).find(name => name.endsWith('.deb'))
    await runCommand('dpkg', ['-x', join(folder, archive ?? ''), join(folder, 'files')])
    await rename(join(folder, 'files/usr/sbin/nats-server'), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// The system's package lists may be missing or outdated: then lists are downloaded into the working folder.
async function download(folder: string): Promise<void> {
  const apt = (args: string[]) =>
    runCommand('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', ...args], { cwd: folder })
  const withSystemLists = await apt(['download', 'nats-server']).then(
    () => true,
    () => false,
  )
  if (withSystemLists) return
  await mkdir(join(folder, 'lists/partial'), { recursive: true })
  await mkdir(join(folder, 'cache/archives/partial'), { recursive: true })
  const own = ['-o', `Dir::State::Lists=${folder}/lists`, '-o', `Dir::Cache=${folder}/cache`]
  await apt([...own, 'update'])
  await apt([...own, 'download', 'nats-server'])
}
