import { type BlobStore, createBlobStore } from '@recto/blobs'

/** Opens the store of specifications, below that of the installation: blobs of other services are collected as garbage by other rules. */
export function openContents(blobUrl: string): BlobStore {
  const url = new URL(blobUrl)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/openapi-specs`
  return createBlobStore({ url: url.href })
}
