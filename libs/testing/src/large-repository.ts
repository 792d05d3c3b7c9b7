import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { aRepository, type Change, type TestRepository } from './repository.ts'

const megabyte = 1024 * 1024
const chunk = 4 * megabyte

/** The content of a large repository: files, and so many others of so many megabytes that do not compress. */
export interface LargeRepository {
  files: NonNullable<Change['files']>
  others: number
  megabytes: number
}

/** Creates a bare repository with large files in the folder `media` beside the others; about a second for 100 MB. */
export async function aLargeRepository({
  files,
  others,
  megabytes,
}: LargeRepository): Promise<Pick<TestRepository, 'path' | 'remove'>> {
  const { path, remove } = await aRepository({ files })
  try {
    const lines: string[] = []
    for (let at = 0; at < others; at++)
      lines.push(`M 100644 ${await largeObject(path, megabytes * megabyte)} media/data-${at}.bin`)
    const head = ['commit refs/heads/main', 'committer A Writer <writer@example.com> now', 'data 0']
    const commit = [...head, 'from refs/heads/main^0', ...lines, 'done', ''].join('\n')
    await inGit(path, ['fast-import', '--quiet', '--date-format=now'], [commit])
  } catch (error) {
    await remove()
    throw error
  }
  return { path, remove }
}

function largeObject(path: string, size: number): Promise<string> {
  const content = Array.from({ length: Math.ceil(size / chunk) }, (_, at) => Math.min(chunk, size - at * chunk))
  const bytes = (function* () {
    for (const length of content) yield randomBytes(length)
  })()
  // Streamed into a pack, so that it is never in memory as a whole.
  const settings = ['-c', 'core.compression=0', '-c', 'core.bigFileThreshold=1m']
  return inGit(path, [...settings, 'hash-object', '-w', '--stdin'], bytes)
}

async function inGit(path: string, args: string[], input: Iterable<string | Buffer>): Promise<string> {
  const git = spawn('git', ['-C', path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>(resolve => git.once('close', resolve))
  const [said] = await Promise.all([text(git.stdout), pipeline(Readable.from(input), git.stdin)])
  const code = await ended
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}`)
  return said.trim()
}
