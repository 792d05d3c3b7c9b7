import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Transform, type Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { Failure } from '@recto/operation'

/** Passes bytes through and hashes them. */
function hashing(): { stream: Transform; digest(): string } {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, digest: () => hash.digest('hex') }
}

/** Compresses a stream into a file, which is on the disk when it resolves to the file's SHA-256. */
export async function writeCompressed(path: string, source: Readable): Promise<string> {
  const { stream, digest } = hashing()
  await pipeline(source, createGzip({ level: 4 }), stream, createWriteStream(path, { mode: 0o600, flush: true }))
  return digest()
}

/** Streams the content of a compressed file; fails with `conflict` at its end when it is not the file with this SHA-256. */
export async function* readCompressed(path: string, sha256: string): AsyncGenerator<Buffer> {
  const { stream, digest } = hashing()
  const content = createGunzip()
  const passed = pipeline(createReadStream(path), stream, content).catch((cause: unknown) => {
    throw damaged(path, cause)
  })
  passed.catch(() => {})
  try {
    for await (const chunk of content) yield chunk
  } catch {
    // The pipeline below rejects with the reason.
  }
  await passed
  if (digest() !== sha256) throw damaged(path)
}

function damaged(path: string, cause?: unknown): Failure {
  return new Failure('conflict', `The backup is damaged: ${path} is not what was written.`, { cause })
}
