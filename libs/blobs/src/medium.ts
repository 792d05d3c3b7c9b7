import { access, constants, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { AwsS3StorageAdapter } from '@flystorage/aws-s3'
import { FileStorage } from '@flystorage/file-storage'
import { LocalStorageAdapter } from '@flystorage/local-fs'

const CONNECTION_TIMEOUT_MS = 5_000
const SOCKET_TIMEOUT_MS = 30_000

/** Where blobs are kept, and in what the two kinds of places differ. */
export interface Medium {
  storage: FileStorage
  /** True when a key appears only once its content is complete, so that no temporary key is needed. */
  atomicWrites: boolean
  presigns: boolean
  /** Stores the content under a key; once it has failed, nothing appears there any more. */
  write(key: string, content: Content): Promise<void>
  /** Makes written content survive a loss of power. */
  persist(key: string): Promise<void>
  /**
   * Opens a key for reading. Not done through the storage library, whose read streams leave their source open when the reader
   * stops early, and which needs a second request for the size.
   */
  read(key: string): Promise<StoredContent>
  /** Throws when the place cannot be used. */
  probe(): Promise<void>
  close(): void
}

/** Content to be stored, with its number of bytes where that is known. */
export interface Content {
  body: Readable
  size?: number
}

/** Stored content and its number of bytes. */
export interface StoredContent {
  size: number
  body: Readable
}

/** The place that a URL names: `file:///absolute/folder` or `s3://bucket/prefix?region=&endpoint=&forcePathStyle=`. */
export function openMedium(address: string): Medium {
  const url = new URL(address)
  if (url.protocol === 'file:') return localFolder(fileURLToPath(url))
  if (url.protocol === 's3:' && url.hostname !== '') return s3Bucket(url)
  throw new TypeError(`a blob store is file:///absolute/folder or s3://bucket/prefix, not ${url.protocol}`)
}

function localFolder(folder: string): Medium {
  return {
    storage: new FileStorage(new LocalStorageAdapter(folder)),
    atomicWrites: false,
    presigns: false,
    write: (key, { body }) => writeFile(join(folder, key), body),
    persist: key => syncFile(join(folder, key)),
    read: key => readFile(join(folder, key)),
    async probe() {
      await mkdir(folder, { recursive: true })
      await access(folder, constants.R_OK | constants.W_OK)
    },
    close() {},
  }
}

// Opened before the content is asked for: a stream of the storage library whose source fails at once makes its file after the failure.
async function writeFile(path: string, body: Readable): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'wx')
  await pipeline(body, file.createWriteStream())
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function readFile(path: string): Promise<StoredContent> {
  const file = await open(path)
  try {
    return { size: (await file.stat()).size, body: file.createReadStream() }
  } catch (error) {
    await file.close()
    throw error
  }
}

function s3Bucket(url: URL): Medium {
  const client = new S3Client(clientSettings(url.searchParams))
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  const storage = new FileStorage(new AwsS3StorageAdapter(client, { bucket: url.hostname, prefix }))
  return {
    storage,
    atomicWrites: true,
    presigns: true,
    write: (key, { body, size }) => storage.write(key, body, { mimeType: 'application/octet-stream', ...(size !== undefined && { size }) }),
    async persist() {},
    read: key => readObject(client, url.hostname, prefix === '' ? key : `${prefix}/${key}`),
    async probe() {
      await storage.directoryExists('')
    },
    close: () => client.destroy(),
  }
}

async function readObject(client: S3Client, bucket: string, key: string): Promise<StoredContent> {
  const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
  if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error('the S3 server sent no content or no length')
  return { size: ContentLength, body: Body }
}

/** Keys come from the usual AWS environment. Of an endpoint that is not AWS only what every S3 server knows is asked. */
function clientSettings(search: URLSearchParams): S3ClientConfig {
  const endpoint = search.get('endpoint')
  const region = search.get('region') ?? (endpoint === null ? null : 'us-east-1')
  return {
    ...(endpoint !== null && { endpoint, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' }),
    ...(region !== null && { region }),
    forcePathStyle: search.get('forcePathStyle') === 'true',
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, socketTimeout: SOCKET_TIMEOUT_MS },
  }
}
