import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitEnvironment, scratchRoot } from './config.ts'
import { decodeModel, type ModelEntry } from './pack-model.ts'
import { Random } from './random.ts'

/** A pack written by native git. */
export interface CorpusPack {
  bytes: Buffer
  entries: ModelEntry[]
  /** Indexes of the pack written by native git, in several versions; none for a thin pack. */
  indexes: Buffer[]
}

/** Writes packs of random histories with native git: deltas by offset and by id, thin packs, and an empty pack. */
export async function aCorpus(seed: string, size: number): Promise<CorpusPack[]> {
  const folder = mkdtempSync(join(scratchRoot, 'recto-corpus-'))
  try {
    const packs: CorpusPack[] = []
    for (let at = 0; at < size; at++) {
      const random = new Random('corpus', seed, at)
      const bytes = writePack(join(folder, `${at}`), random)
      packs.push({ bytes, entries: await decodeModel(bytes), indexes: writeIndexes(folder, bytes) })
    }
    return packs
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function git(gitdir: string, args: readonly string[], input: string | Buffer = ''): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, {
    env: gitEnvironment({ GIT_DIR: gitdir }),
    input,
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}`)
  return stdout
}

function writePack(gitdir: string, random: Random): Buffer {
  git(gitdir, ['init', '--quiet', '--bare', '--template='])
  git(gitdir, ['fast-import', '--quiet', '--depth=0'], aHistory(random))
  const level = `pack.compression=${random.below(10)}`
  const options = [
    '--stdout',
    '--quiet',
    '--threads=1',
    '--no-reuse-delta',
    `--depth=${1 + random.below(50)}`,
    ...(random.percent(60) ? ['--delta-base-offset'] : []),
  ]
  if (random.percent(15))
    return git(gitdir, ['-c', level, 'pack-objects', ...options, '--revs', '--thin'], 'main\n^main~1\n')
  const all = git(gitdir, ['rev-list', '--objects', '--all']).toString().trim().split('\n')
  const some = random.percent(50) ? all : all.filter(() => random.percent(60))
  return git(gitdir, ['-c', level, 'pack-objects', ...options], some.map(line => `${line}\n`).join(''))
}

/** A git fast-import stream of files with small changes from commit to commit. */
function aHistory(random: Random): Buffer {
  const size = random.percent(3) ? 90_000 : random.pick([0, 10, 200, 1_500])
  const parts: Buffer[] = []
  let content = random.text(size)
  const commits = 2 + random.below(4)
  for (let at = 0; at < commits; at++) {
    content = random.percent(80) ? edited(content, random) : random.bytes(random.below(400))
    parts.push(Buffer.from(`commit refs/heads/main\ncommitter a <a@example.org> ${at} +0000\ndata 1\n${at}\n`))
    for (const name of ['a', 'd/b'].slice(0, 1 + random.below(2)))
      parts.push(Buffer.from(`M 100644 inline ${name}\ndata ${content.length}\n`), content, Buffer.from('\n'))
  }
  if (random.percent(30))
    parts.push(Buffer.from('tag v1\nfrom refs/heads/main\ntagger a <a@example.org> 0 +0000\ndata 1\nv\n'))
  return Buffer.concat([...parts, Buffer.from('done\n')])
}

function edited(content: Buffer, random: Random): Buffer {
  const at = random.below(content.length + 1)
  return Buffer.concat([
    content.subarray(0, at),
    random.text(random.below(60)),
    content.subarray(at + random.below(20)),
  ])
}

function writeIndexes(folder: string, bytes: Buffer): Buffer[] {
  const path = join(folder, 'one.pack')
  writeFileSync(path, bytes)
  return ['1', '2', '2,30'].flatMap(version => {
    const args = ['index-pack', '--threads=1', `--index-version=${version}`, '-o', join(folder, 'one.idx'), path]
    const { status } = spawnSync('git', args, { env: gitEnvironment({ GIT_DIR: '/nonexistent' }) })
    if (status !== 0) return []
    const index = readFileSync(join(folder, 'one.idx'))
    rmSync(join(folder, 'one.idx'))
    return [index]
  })
}
