import { createHash } from 'node:crypto'

/** A document to be stored under its hash. */
export interface NewDocument {
  /** SHA-256 in hexadecimal. */
  hash: string
  bytes: Buffer
}

/** Makes a document with its hash. */
export function newDocument(content: string | Buffer): NewDocument {
  const bytes = Buffer.from(content)
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes }
}
