import type { GitError } from '@recto/contracts-git-worker'
import type { z } from 'zod'

/** One of the closed list of codes that an operation can end with. */
export type GitErrorCode = z.infer<typeof GitError>['code']

/** Why an import ends. `path` is relative to the repository; no message ever holds credentials. */
export class ImportFailure extends Error {
  readonly code: GitErrorCode
  readonly path: string | undefined
  /** A retry may succeed. */
  readonly transient: boolean

  constructor(
    code: GitErrorCode,
    message: string,
    options: { path?: string; cause?: unknown; transient?: boolean } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.path = options.path
    this.transient = options.transient ?? (code === 'unreachable' || code === 'timeout')
  }
}

/** Something left out or unreadable that does not end the import. */
export interface Warning {
  path: string
  message: string
  line?: number
}

/** Bytes of all warnings of one import: they travel in one message. */
const maxWarningBytes = 256 * 1024
const maxPathLength = 512
const maxMessageLength = 1_000

/** Keeps the first `most` warnings, truncated and within 256 KiB, and counts the rest. */
export function limitWarnings(warnings: readonly Warning[], most: number): Warning[] {
  const kept: Warning[] = []
  let bytes = 0
  for (const { path, message, ...line } of warnings.slice(0, most)) {
    const warning = {
      path: truncateMiddle(path, maxPathLength),
      message: truncateMiddle(message, maxMessageLength),
      ...line,
    }
    bytes += Buffer.byteLength(JSON.stringify(warning)) + 1
    if (bytes > maxWarningBytes) break
    kept.push(warning)
  }
  const left = warnings.length - kept.length
  return left === 0 ? kept : [...kept, { path: '', message: `There are ${left} more warnings` }]
}

/** Truncates a text in the middle to `most` characters, since the end of a path matters most; replaces NUL and lone surrogates, which cannot be stored. */
export function truncateMiddle(text: string, most: number): string {
  const half = Math.floor(most / 2) - 1
  const short = text.length <= most ? text : `${text.slice(0, half)}…${text.slice(-half)}`
  return short.replace(/[\0\ud800-\udfff]/gu, '\ufffd')
}
