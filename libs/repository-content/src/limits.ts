/** Limits of an import, in bytes and milliseconds. */
export interface Limits {
  /** `GIT_MAX_PACK`: the pack of one branch without history. */
  maxPack: number
  /** `GIT_MAX_FILE`: one file. */
  maxFile: number
  /** `GIT_MAX_PAGE_BYTES`: one page. */
  maxPageBytes: number
  /** `GIT_MAX_FILES`: entries below the content root. */
  maxFiles: number
  /** `GIT_MAX_PAGES`: entries of the page tree. */
  maxPages: number
  /** `GIT_TIMEOUT`: the whole job, with its repetitions. */
  jobTimeoutMs: number
}

export const defaultLimits: Limits = {
  maxPack: 500 * 1024 * 1024,
  maxFile: 100 * 1024 * 1024,
  maxPageBytes: 5 * 1024 * 1024,
  maxFiles: 20_000,
  maxPages: 10_000,
  jobTimeoutMs: 10 * 60_000,
}

/** Limits checked before parsing, since a parser's time and stack grow faster than its input. */
export const bounds = {
  /** Levels of lists, of YAML, and of folders that become pages. */
  depth: 20,
  summaryBytes: 2 * 1024 * 1024,
  configurationBytes: 256 * 1024,
  /** Recto's own file, which has an entry for each page that needs one. */
  settingsBytes: 4 * 1024 * 1024,
}
