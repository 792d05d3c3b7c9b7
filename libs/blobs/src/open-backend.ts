import { fileURLToPath } from 'node:url'
import { localFolder } from './local-folder.ts'
import { s3Bucket } from './s3-bucket.ts'
import type { StorageBackend } from './storage-backend.ts'

/** Opens the backend of a URL: `file:///absolute/folder` or `s3://bucket/prefix?region=&endpoint=&forcePathStyle=`. Throws a `TypeError` for any other. */
export function openBackend(address: string): StorageBackend {
  const url = new URL(address)
  if (url.protocol === 'file:') return localFolder(fileURLToPath(url))
  if (url.protocol === 's3:' && url.hostname !== '') return s3Bucket(url)
  throw new TypeError(`a blob store is file:///absolute/folder or s3://bucket/prefix, not ${url.protocol}`)
}
