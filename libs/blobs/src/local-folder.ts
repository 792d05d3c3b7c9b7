import { access, constants, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStorage } from '@flystorage/file-storage'
import { LocalStorageAdapter } from '@flystorage/local-fs'
import type { ByteRange, StorageBackend, StoredContent } from './storage-backend.ts'

/** Opens a local folder; it is created when it is probed. */
export function localFolder(folder: string): StorageBackend {
  return {
    storage: new FileStorage(new LocalStorageAdapter(folder)),
    atomicWrites: false,
    presigns: false,
    write: (key, { body }) => writeFile(join(folder, key), body),
    persist: key => syncFile(join(folder, key)),
    read: (key, range) => readFile(join(folder, key), range),
    async probe() {
      await mkdir(folder, { recursive: true })
      await access(folder, constants.R_OK | constants.W_OK)
    },
    close() {},
  }
}

// Opened before the content is read: the storage library creates the file after a source that fails at once.
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

async function readFile(path: string, range?: ByteRange): Promise<StoredContent> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (range && range.end >= size) throw new RangeError('the range is not in the content')
    return { size: range ? range.end - range.start + 1 : size, body: file.createReadStream(range) }
  } catch (error) {
    await file.close()
    throw error
  }
}
