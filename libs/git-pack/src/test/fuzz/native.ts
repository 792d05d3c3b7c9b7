import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexInput } from './index-inputs.ts'
import { run, type Scratch } from './scratch.ts'

/** The memory limit of git for one input. */
const memoryLimit = 'ulimit -v 4000000'

/** Git's result for a pack: an index or an error message. */
export type NativePack = { index: Buffer } | { complaint: string }

/** Runs `git index-pack` on each pack. */
export function nativePacks(scratch: Scratch, packs: readonly Buffer[]): NativePack[] {
  const folder = scratch.fresh('packs')
  packs.forEach((pack, at) => writeFileSync(join(folder, `${at}.pack`), pack))
  const loop = `${memoryLimit}; for f in *.pack; do git index-pack --threads=1 --no-rev-index "$f" >/dev/null 2>"$f.err"; done; true`
  const { status, stderr } = run('sh', ['-c', loop], { cwd: folder, env: { GIT_DIR: '/nonexistent' } })
  if (status !== 0) throw new Error(`The loop over git index-pack failed: ${stderr}`)
  return packs.map((_, at) => {
    const path = join(folder, `${at}.idx`)
    return existsSync(path)
      ? { index: readFileSync(path) }
      : { complaint: readFileSync(join(folder, `${at}.pack.err`), 'latin1') }
  })
}

const packName = (at: number) => `pack-${String(at).padStart(40, '0')}`

/** Writes indexes into a repository, each with a stub pack of header and trailer only. */
function repositoryOf(scratch: Scratch, inputs: ReadonlyMap<number, IndexInput>): string {
  const gitdir = scratch.repository('indexes')
  for (const [at, { bytes, packBytes }] of inputs) {
    const path = join(gitdir, 'objects/pack', packName(at))
    writeFileSync(`${path}.idx`, bytes)
    const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
    if (bytes.length >= 1_032) bytes.copy(head, 8, 1_028, 1_032)
    const file = openSync(`${path}.pack`, 'w')
    ftruncateSync(file, packBytes)
    writeSync(file, head, 0, 12, 0)
    if (bytes.length >= 40) writeSync(file, bytes, bytes.length - 40, 20, packBytes - 20)
    closeSync(file)
  }
  return gitdir
}

/** Whether git accepts each index when it opens it. */
export function nativeIndexes(scratch: Scratch, inputs: readonly IndexInput[]): boolean[] {
  const gitdir = repositoryOf(scratch, new Map(inputs.entries()))
  const { status, stderr } = run('git', ['count-objects', '-v'], { env: { GIT_DIR: gitdir } })
  if (status !== 0) throw new Error(`git count-objects failed: ${stderr}`)
  const refused = new Set([...stderr.matchAll(/pack-0*(\d+)\.(?:idx|pack)/g)].map(([, at]) => Number(at)))
  return inputs.map((_, at) => !refused.has(at))
}

/** The on-disk size that `git cat-file` reports for each name; undefined for a name in none of the indexes. */
export function nativeLookups(
  scratch: Scratch,
  inputs: ReadonlyMap<number, IndexInput>,
  names: readonly string[],
): { sizes: (number | undefined)[]; fault: string } {
  const gitdir = repositoryOf(scratch, inputs)
  const input = names.map(name => `${name}\n`).join('')
  const { stdout, stderr } = run('git', ['cat-file', '--batch-check=%(objectname) %(objectsize:disk)', '--buffer'], {
    env: { GIT_DIR: gitdir },
    input,
  })
  const lines = stdout.split('\n').slice(0, -1)
  return {
    sizes: lines.map(line => (line.endsWith(' missing') ? undefined : Number(line.split(' ')[1]))),
    fault: stderr,
  }
}

/** Git's reading of a packet stream: the packets and the outcome. */
export interface NativePackets {
  packets: string[]
  /** Whether the framing was refused; other errors concern the content of packets. */
  refused: boolean
}

/** Runs `git upload-pack` on each packet stream and reads the packets from its trace. */
export function nativePackets(scratch: Scratch, conversations: readonly Buffer[]): NativePackets[] {
  const folder = scratch.fresh('conversations')
  const gitdir = join(scratch.folder, 'served')
  if (!existsSync(gitdir)) scratch.repository('served', '[transfer]\n\tadvertiseObjectInfo = true\n')
  conversations.forEach((conversation, at) => writeFileSync(join(folder, `${at}.in`), conversation))
  const loop = `for f in *.in; do git upload-pack '${gitdir}' <"$f" >/dev/null 2>"$f.trace"; done; true`
  const env = { GIT_PROTOCOL: 'version=2', GIT_TRACE_PACKET: '2', GIT_TRACE_BARE: '1' }
  const { status, stderr } = run('sh', ['-c', loop], { cwd: folder, env })
  if (status !== 0) throw new Error(`The loop over git upload-pack failed: ${stderr}`)
  const traces = conversations.map((_, at) => readFileSync(join(folder, `${at}.in.trace`), 'latin1'))
  rmSync(folder, { recursive: true })
  return traces.map(readTrace)
}

/** A byte above 127 in a trace of git 2.39, which prints it as a negative number. */
const signExtended = /\\37777777([67])([0-7]{2})/g

function readTrace(trace: string): NativePackets {
  const marker = 'packet:  upload-pack< '
  const lines = trace.split('\n')
  return {
    packets: lines
      .filter(line => line.startsWith(marker))
      .map(line =>
        line
          .slice(marker.length)
          .replace(signExtended, (_, high: string, low: string) => `\\${Number(high) - 4}${low}`),
      ),
    refused: lines.some(line => /^fatal: (protocol error: bad line length|the remote end hung up)/.test(line)),
  }
}

/** A packet as git traces it: without line feeds, and other bytes than printable ASCII in octal. */
export function traced(payload: Uint8Array): string {
  let text = ''
  for (const byte of payload) {
    if (byte === 10) continue
    text += byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : `\\${byte.toString(8)}`
  }
  return text
}
