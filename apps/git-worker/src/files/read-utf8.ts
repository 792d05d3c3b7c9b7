import { isUtf8 } from 'node:buffer'
import type { Warning } from '../failures/import-failure.ts'

/** The text of a file; a warning when it is not UTF-8, since what it says is then shown in part only. */
export function readUtf8(path: string, bytes: Buffer, warnings: Warning[]): string {
  const message = 'The file is not UTF-8: characters that cannot be read are shown as \ufffd'
  if (!isUtf8(bytes)) warnings.push({ path, message })
  return bytes.toString()
}
