import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packs a commit of a repository with its trees and blobs, as somebody uploads a folder; `without` leaves objects out. */
export async function packOfCommit(
  repository: string,
  commit: string,
  { without = [] }: { without?: string[] } = {},
): Promise<{ pack: Buffer; commit: string }> {
  const git = async (...args: string[]) =>
    (await run('git', ['-C', repository, ...args], { maxBuffer: 1e9 })).stdout.split('\n').filter(Boolean)
  const tips = await git('rev-parse', commit, `${commit}^{tree}`)
  const entries = await git('ls-tree', '-r', '-t', '--format=%(objecttype) %(objectname)', commit)
  const below = entries.flatMap(line => (line.startsWith('commit ') ? [] : line.slice(line.indexOf(' ') + 1)))
  const objects = [...tips, ...below].filter(oid => !without.includes(oid))
  const packing = execFile('git', ['-C', repository, 'pack-objects', '--stdout', '--quiet'], { encoding: 'buffer' })
  packing.stdin?.end(objects.map(oid => `${oid}\n`).join(''))
  const output = packing.stdout ? buffer(packing.stdout) : Promise.resolve(Buffer.alloc(0))
  const ended = once(packing, 'exit')
  const pack = await output
  await ended
  return { pack, commit: tips[0] ?? '' }
}
