import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FetchOptions } from './nats-debian.ts'
import { runCommand } from './run-command.ts'

const version = 'v2.10.27'
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }
const downloadTimeout = 60_000

/** Base URL of the official releases. */
export const releases = 'https://github.com/nats-io/nats-server/releases/download'

/** Downloads the official build for this platform and verifies it against the release's SHA256SUMS. Throws an `Error` on a mismatch. */
export async function fetchFromRelease({ cacheDir, target, log, releaseUrl }: FetchOptions): Promise<void> {
  const build = `nats-server-${version}-${process.platform}-${architectures[process.arch] ?? process.arch}`
  log(`downloading ${build}`)
  const [archive, sums] = await Promise.all([
    get(`${releaseUrl}/${version}/${build}.tar.gz`),
    get(`${releaseUrl}/${version}/SHA256SUMS`),
  ])
  checkSum(archive, sums.toString(), `${build}.tar.gz`)
  await mkdir(cacheDir, { recursive: true })
  const folder = await mkdtemp(join(cacheDir, 'release-'))
  try {
    await writeFile(join(folder, 'archive.tar.gz'), archive)
    await runCommand('tar', ['-xzf', 'archive.tar.gz'], { cwd: folder })
    await chmod(join(folder, build, 'nats-server'), 0o755)
    await rename(join(folder, build, 'nats-server'), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function get(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(downloadTimeout) }).catch((cause: unknown) => {
    throw new Error(`${url} cannot be reached`, { cause })
  })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

function checkSum(archive: Buffer, sums: string, name: string): void {
  const expected = sums
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .find(([, file]) => file !== undefined && basename(file) === name)?.[0]
  const actual = createHash('sha256').update(archive).digest('hex')
  if (expected !== actual) throw new Error(`${name} does not have the checksum of its release`)
}
