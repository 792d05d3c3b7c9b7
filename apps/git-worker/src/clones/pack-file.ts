import { open } from 'node:fs/promises'
import { PackReader } from '@recto/git-pack'

/** A pack on disk. */
export interface PackFile {
  reader: PackReader
  close(): Promise<void>
}

/** Opens a pack on disk; `readAhead` is the size in bytes of the buffer for sequential reads. */
export async function openPackFile(path: string, options: { readAhead?: number } = {}): Promise<PackFile> {
  const file = await open(path, 'r')
  const read = async (target: Uint8Array, position: number) =>
    (await file.read(target, 0, target.length, position)).bytesRead
  return { reader: new PackReader({ bytes: (await file.stat()).size, read }, options), close: () => file.close() }
}
