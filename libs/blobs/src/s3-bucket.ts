import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import type * as Aws from '@aws-sdk/client-s3'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import type * as Flystorage from '@flystorage/aws-s3'
import { FileStorage } from '@flystorage/file-storage'
import type { ByteRange, StorageBackend, StoredContent } from './storage-backend.ts'

const CONNECTION_TIMEOUT_MS = 5_000
const SOCKET_TIMEOUT_MS = 30_000

const require = createRequire(import.meta.url)

// Loaded with the first bucket: loading takes a tenth of a second, and most installations use a folder.
const aws = (): typeof Aws => require('@aws-sdk/client-s3') as typeof Aws
const flystorage = (): typeof Flystorage => require('@flystorage/aws-s3') as typeof Flystorage

/** Opens the bucket of an `s3:` URL. */
export function s3Bucket(url: URL): StorageBackend {
  const { AwsS3StorageAdapter } = flystorage()
  const client: S3Client = new (aws().S3Client)(clientSettings(url.searchParams))
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  const storage = new FileStorage(new AwsS3StorageAdapter(client, { bucket: url.hostname, prefix }))
  return {
    storage,
    atomicWrites: true,
    presigns: true,
    write: (key, { body, size }) =>
      storage.write(key, body, { mimeType: 'application/octet-stream', ...(size !== undefined && { size }) }),
    async persist() {},
    read: (key, range) =>
      readObject(client, { Bucket: url.hostname, Key: prefix === '' ? key : `${prefix}/${key}` }, range),
    async probe() {
      await storage.directoryExists('')
    },
    close: () => client.destroy(),
  }
}

async function readObject(
  client: S3Client,
  object: { Bucket: string; Key: string },
  range?: ByteRange,
): Promise<StoredContent> {
  const rangeHeader = range && { Range: `bytes=${range.start}-${range.end}` }
  const { Body, ContentLength } = await client.send(new (aws().GetObjectCommand)({ ...object, ...rangeHeader }))
  if (!(Body instanceof Readable) || ContentLength === undefined)
    throw new Error('the S3 server sent no content or no length')
  return { size: ContentLength, body: Body }
}

/** Credentials come from the AWS environment. Checksums are limited to what every S3 server supports when an endpoint is given. */
function clientSettings(search: URLSearchParams): S3ClientConfig {
  const endpoint = search.get('endpoint')
  const region = search.get('region') ?? (endpoint === null ? null : 'us-east-1')
  return {
    ...(endpoint !== null && {
      endpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    ...(region !== null && { region }),
    forcePathStyle: search.get('forcePathStyle') === 'true',
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, socketTimeout: SOCKET_TIMEOUT_MS },
  }
}
