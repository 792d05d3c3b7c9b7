import { randomBytes } from 'node:crypto'
import { Failure } from '@recto/operation'

const idLength = 16
const sizeLength = 4

/**
 * Packs many small documents into one blob, which costs one disk flush or S3 request instead of one each. A random prefix
 * makes every bundle unique, so that its receiver may delete the blob.
 */
export function packBundle(documents: readonly Uint8Array[]): Buffer {
  return Buffer.concat([randomBytes(idLength), ...documents.flatMap(document => [sizeOf(document), document])])
}

/** Unpacks the documents of a bundle, in order, as views of its bytes. Throws `invalid_request` for a truncated bundle. */
export function unpackBundle(bundle: Buffer): Buffer[] {
  const documents: Buffer[] = []
  let at = idLength
  while (at < bundle.length) {
    const start = at + sizeLength
    const end = start <= bundle.length ? start + bundle.readUInt32BE(at) : Number.POSITIVE_INFINITY
    if (end > bundle.length) throw new Failure('invalid_request', 'The bundle of documents ends too early')
    documents.push(bundle.subarray(start, end))
    at = end
  }
  return documents
}

function sizeOf(document: Uint8Array): Buffer {
  const size = Buffer.alloc(sizeLength)
  size.writeUInt32BE(document.byteLength)
  return size
}
