import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Failure } from '@recto/operation'
import { fetchFromDebian } from './nats-debian.ts'
import { fetchFromRelease, releases } from './nats-release.ts'
import { runCommand } from './run-command.ts'

const minimumVersion = [2, 9] as const
// Debian installs the server outside an ordinary user's PATH.
const extraFolders = ['/usr/local/bin', '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin']

/** Where to look for a nats-server; NATS_SERVER (an explicit path) and PATH are read from `env`. */
export interface FindNatsOptions {
  cacheDir: string
  env: Record<string, string | undefined>
  log?: (line: string) => void
  /** Base URL of the releases; a mirror may replace it. */
  releaseUrl?: string
}

/**
 * Finds a nats-server of version 2.9 or newer: NATS_SERVER, PATH, the cache, or fetched into the cache from the
 * Debian archive or the official releases. Throws `unavailable` with an install command in its message.
 */
export async function findNatsServer({
  cacheDir,
  env,
  log = () => {},
  releaseUrl = releases,
}: FindNatsOptions): Promise<string> {
  if (env.NATS_SERVER) return requireUsable(env.NATS_SERVER)
  const cached = join(cacheDir, 'nats-server')
  const folders = [...(env.PATH ?? '').split(delimiter).filter(Boolean), ...extraFolders]
  for (const path of [...folders.map(folder => join(folder, 'nats-server')), cached]) {
    if (await isUsable(path)) return path
  }
  const reasons: string[] = []
  for (const fetch of [fetchFromDebian, fetchFromRelease]) {
    try {
      await fetch({ cacheDir, target: cached, log, releaseUrl })
      return await requireUsable(cached)
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Failure('unavailable', `There is no nats-server (${reasons.join('; ')}). ${installLine()}`)
}

async function requireUsable(path: string): Promise<string> {
  const version = await versionOf(path)
  if (version === undefined) throw new Failure('unavailable', `${path} is not a nats-server that runs here`)
  if (isNewEnough(version)) return path
  throw new Failure(
    'unavailable',
    `${path} is nats-server ${version.join('.')}; ${minimumVersion.join('.')} or newer is needed`,
  )
}

async function isUsable(path: string): Promise<boolean> {
  const isThere = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
  const version = isThere ? await versionOf(path) : undefined
  return version !== undefined && isNewEnough(version)
}

async function versionOf(path: string): Promise<number[] | undefined> {
  const text = await runCommand(path, ['--version']).catch(() => '')
  return /nats-server: v(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number)
}

function isNewEnough([major = 0, minor = 0]: number[]): boolean {
  return major > minimumVersion[0] || (major === minimumVersion[0] && minor >= minimumVersion[1])
}

function installLine(): string {
  const line = process.platform === 'darwin' ? 'brew install nats-server' : 'sudo apt-get install nats-server'
  return `Install one (${line}), name it with NATS_SERVER=/path/to/nats-server, or use a server elsewhere with NATS_URL.`
}
