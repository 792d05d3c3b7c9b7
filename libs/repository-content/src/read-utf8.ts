import { isUtf8 } from 'node:buffer'
import type { Warning } from './import-failure.ts'

/** Decodes the text of a file, with a warning when it is not UTF-8, since unreadable characters are replaced. */
export function readUtf8(path: string, bytes: Buffer, warnings: Warning[]): string {
  const message = 'The file is not UTF-8: characters that cannot be read are shown as \ufffd'
  if (!isUtf8(bytes)) warnings.push({ path, message })
  return bytes.toString()
}
