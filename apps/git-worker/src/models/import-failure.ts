import type { GitError } from '@recto/contracts'
import type { z } from 'zod'

/** One of the closed list of codes that an operation can end with. */
export type GitErrorCode = z.infer<typeof GitError>['code']

/** Why an import ends. `path` is relative to the repository; no message ever holds credentials. */
export class ImportFailure extends Error {
  readonly code: GitErrorCode
  readonly path: string | undefined
  /** It may work a moment later. */
  readonly transient: boolean

  constructor(code: GitErrorCode, message: string, options: { path?: string; cause?: unknown; transient?: boolean } = {}) {
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

/** Keeps the first warnings and counts the rest: a repository can give cause for any number. */
export function firstWarnings(warnings: readonly Warning[], most: number): Warning[] {
  if (warnings.length <= most) return [...warnings]
  return [...warnings.slice(0, most), { path: '', message: `There are ${warnings.length - most} more warnings` }]
}
