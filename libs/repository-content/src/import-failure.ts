import type { gitErrors } from '@recto/contracts-git-worker-bus'

/** A code of the closed list with which an operation can fail. */
export type GitErrorCode = (typeof gitErrors)[number]

/** Why an import or export fails. `path` is relative to the repository; no message ever holds credentials. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure'
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

/** Whether an error is an `ImportFailure`, also one of another bundle, which has a class of its own. */
export function isImportFailure(error: unknown): error is ImportFailure {
  return error instanceof Error && error.name === 'ImportFailure'
}

/** A part of the repository that is left out or unreadable, without ending the import. */
export interface Warning {
  path: string
  message: string
  line?: number
}

/** Bytes of all warnings of one import: they travel in one message. */
const maxWarningBytes = 256 * 1024
const maxPathLength = 512
const maxMessageLength = 1_000

/** Keeps the first `maxCount` warnings, truncated and within 256 KiB, and counts the rest. */
export function limitWarnings(warnings: readonly Warning[], maxCount: number): Warning[] {
  const limitedWarnings: Warning[] = []
  let bytes = 0
  for (const { path, message, ...line } of warnings.slice(0, maxCount)) {
    const warning = {
      path: truncateMiddle(path, maxPathLength),
      message: truncateMiddle(message, maxMessageLength),
      ...line,
    }
    bytes += Buffer.byteLength(JSON.stringify(warning)) + 1
    if (bytes > maxWarningBytes) break
    limitedWarnings.push(warning)
  }
  const omittedCount = warnings.length - limitedWarnings.length
  return omittedCount === 0
    ? limitedWarnings
    : [...limitedWarnings, { path: '', message: `There are ${omittedCount} more warnings` }]
}

/** Truncates a text in the middle to `maxLength` characters, since the end of a path matters most; replaces NUL and lone surrogates, which cannot be stored. */
export function truncateMiddle(text: string, maxLength: number): string {
  const half = Math.floor(maxLength / 2) - 1
  const short = text.length <= maxLength ? text : `${text.slice(0, half)}…${text.slice(-half)}`
  return short.replace(/[\0\ud800-\udfff]/gu, '\ufffd')
}
