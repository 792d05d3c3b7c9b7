// npm run compare [-- <megabytes> <texts>]: compares time and memory of reading one pack with isomorphic-git.
// A separate process indexes the pack and reads every object in it; its peak memory is the one that the system reports.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, promises, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const self = fileURLToPath(import.meta.url)
const here = fileURLToPath(new URL('.', import.meta.url))
const mb = 1024 * 1024
const readers = { 'git-pack': readHere, 'isomorphic-git': readThere, 'nothing (Node alone)': async () => 0 }

const [, , reader, ...rest] = process.argv
if (readers[reader]) await measure(readers[reader], rest)
else if (reader === 'write') console.log(writePack(...rest))
else await compare(Number(reader ?? 200), Number(rest[0] ?? 2_000))

async function compare(megabytes, texts) {
  mkdirSync(join(here, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'recto-compare-'))
  const library = join(mkdtempSync(join(here, 'dist/compare-')), 'index.mjs')
  try {
    await bundle(library)
    // A child process inherits its parent's peak memory figure, so this process stays small.
    const written = execFileSync(
      process.execPath,
      [self, 'write', join(folder, 'written'), String(megabytes), String(texts)],
      { encoding: 'utf8' },
    ).trim()
    console.log(
      `One pack of ${(statSync(written).size / mb).toFixed(0)} MB: ${megabytes} blobs of 1 MB that do not compress, ${texts} small texts; Node ${process.version}`,
    )
    console.log('reader                  objects    index s     read s   peak RSS MB')
    for (const name of Object.keys(readers)) {
      const gitdir = join(folder, name.split(' ')[0])
      mkdirSync(join(gitdir, 'objects/pack'), { recursive: true })
      const path = join(gitdir, 'objects/pack/one.pack')
      copyFileSync(written, path)
      const { status, stdout, stderr } = spawnSync(process.execPath, [self, name, gitdir, library], {
        encoding: 'utf8',
        maxBuffer: 1e8,
      })
      if (status !== 0) throw new Error(stderr)
      console.log(`${name.padEnd(22)}${stdout.trim()}`)
      rmSync(gitdir, { recursive: true })
    }
  } finally {
    rmSync(folder, { recursive: true })
    rmSync(join(library, '..'), { recursive: true })
  }
}

async function bundle(outfile) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: here,
    entryPoints: ['src/index.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
  })
}

/** Writes a pack with native git. The texts are similar, so that most of them are stored as deltas. */
function writePack(gitdir, megabytes, texts) {
  const git = (args, input) => {
    const { status, stdout, stderr } = spawnSync('git', args, {
      env: { ...process.env, GIT_DIR: gitdir },
      input,
      maxBuffer: 1e9,
    })
    if (status !== 0) throw new Error(stderr.toString())
    return stdout
  }
  git(['init', '--quiet', '--bare', '--template='])
  const blob = bytes => [Buffer.from(`blob\ndata ${bytes.length}\n`), bytes, Buffer.from('\n')]
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at} of a page, which is much like every other page\n`)
  const parts = [
    ...Array.from({ length: Number(megabytes) }, () => blob(randomFillSync(Buffer.alloc(mb)))),
    ...Array.from({ length: Number(texts) }, (_, at) =>
      blob(Buffer.from(`# Page ${at}\n${lines.slice(at % 30).join('')}`)),
    ),
  ].flat()
  git(['fast-import', '--quiet', '--big-file-threshold=100m'], Buffer.concat([...parts, Buffer.from('done\n')]))
  git(['repack', '-adfq', '--window=10', '--depth=50', '--keep-unreachable'])
  const name = git(['rev-parse', '--git-path', 'objects/pack']).toString().trim()
  const file = spawnSync('sh', ['-c', 'ls *.pack'], { cwd: name, encoding: 'utf8' }).stdout.trim().split('\n')
  return join(name, file[0])
}

async function measure(read, [gitdir, library]) {
  const index = join(gitdir, 'objects/pack/one.idx')
  const started = performance.now()
  let indexed = started
  const objects = await read({ gitdir, index, library, onIndexed: () => (indexed = performance.now()) })
  const seconds = from => ((performance.now() - from) / 1_000).toFixed(2).padStart(10)
  const indexSeconds = ((indexed - started) / 1_000).toFixed(2).padStart(10)
  const readSeconds = seconds(indexed)
  console.log(
    `${String(objects).padStart(9)} ${indexSeconds} ${readSeconds} ${(process.resourceUsage().maxRSS / 1_024).toFixed(0).padStart(13)}`,
  )
}

/** Verifies the object that was read, so that both readers are compared on the same result. */
function check(oid, type, data) {
  if (createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex') !== oid)
    throw new Error(`${oid} was read wrongly`)
}

/** The object ids in an index of version 2. */
function namesIn(bytes) {
  return Array.from({ length: bytes.readUInt32BE(1_028) }, (_, at) =>
    bytes.toString('hex', 1_032 + at * 20, 1_052 + at * 20),
  )
}

async function readHere({ gitdir, index, library, onIndexed }) {
  const { encodeIndex, indexPack, ObjectStore, openPack, PackReader } = await import(library)
  const file = await promises.open(join(gitdir, 'objects/pack/one.pack'), 'r')
  const source = {
    bytes: (await file.stat()).size,
    read: async (target, position) => (await file.read(target, 0, target.length, position)).bytesRead,
  }
  const limits = { maxObject: 100 * mb, maxInflated: 4_000 * mb, maxObjects: 1_000_000, cacheBytes: 32 * mb }
  const { entries, checksum } = await indexPack(new PackReader(source, { readAhead: 4 * mb }), limits)
  writeFileSync(index, encodeIndex(entries, checksum))
  onIndexed()
  const store = new ObjectStore([await openPack(new PackReader(source), readFileSync(index))], {
    maxObject: 100 * mb,
    cacheBytes: 16 * mb,
  })
  const names = namesIn(readFileSync(index))
  for (const oid of names) {
    const { type, data } = await store.readAny(oid)
    check(oid, type, data)
  }
  await file.close()
  return names.length
}

async function readThere({ gitdir, index, onIndexed }) {
  const { default: git } = await import('isomorphic-git')
  const fs = { promises }
  await git.indexPack({ fs, dir: gitdir, gitdir, filepath: 'objects/pack/one.pack' })
  onIndexed()
  const names = namesIn(readFileSync(index))
  const cache = {}
  for (const oid of names) {
    const { type, object } = await git.readObject({ fs, gitdir, oid, format: 'content', cache })
    check(oid, type, Buffer.from(object))
  }
  return names.length
}
