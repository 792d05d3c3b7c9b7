import { baseName, isBelow, isMarkdown } from '@recto/repository-format'
import { defaultLimits, type LoadedRepository, type SourceFile } from '@recto/repository-content'
import type { FindingDraft } from '../findings/finding.ts'

/** Limits of sizes, in bytes. */
export interface SizeLimits {
  /** Larger images are loaded slowly. */
  maxImageBytes: number
  /** An import refuses larger files. */
  maxFileBytes: number
}

/** The usual limits. */
export const defaultSizes: SizeLimits = { maxImageBytes: 5 * 1024 * 1024, maxFileBytes: defaultLimits.maxFile }

/** Finds images and files that are too large. */
export function checkSizes({ manifest }: Pick<LoadedRepository, 'manifest'>, limits: SizeLimits): FindingDraft[] {
  return manifest.files.flatMap(({ git: { path: file }, size, contentType }): FindingDraft[] => {
    if (size > limits.maxFileBytes) return [largeFile({ file, bytes: size, maxBytes: limits.maxFileBytes })]
    if (size <= limits.maxImageBytes || !contentType.startsWith('image/')) return []
    return [
      {
        rule: 'image-too-large',
        file,
        message: `The image has ${megabytes(size)}, over ${megabytes(limits.maxImageBytes)}`,
      },
    ]
  })
}

/** The finding of a file that an import refuses. */
export function largeFile({ file, bytes, maxBytes }: { file: string; bytes: number; maxBytes: number }): FindingDraft {
  const message = `${megabytes(bytes)}, over the limit of ${megabytes(maxBytes)} of an import`
  return { rule: 'file-too-large', file, message }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** Finds names that differ in case alone, which some file systems cannot hold. */
export function checkCase(files: readonly SourceFile[]): FindingDraft[] {
  const first = new Map<string, string>()
  return files.flatMap(({ path: file }): FindingDraft[] => {
    const key = file.normalize('NFC').toLowerCase()
    const other = first.get(key)
    if (other === undefined) first.set(key, file)
    return other === undefined
      ? []
      : [{ rule: 'case-collision', file, message: `${other} has the same name in another case` }]
  })
}

/** Finds Markdown files of the content that the table of contents does not have. */
export function checkListed(
  { configuration: { root, summary }, texts, hasSummary }: LoadedRepository,
  files: readonly SourceFile[],
): FindingDraft[] {
  if (!hasSummary) return []
  const isHidden = (path: string) => path.split('/').some(name => name.startsWith('.') || name === 'node_modules')
  return files.flatMap(({ path: file }): FindingDraft[] => {
    const isPage = isMarkdown(file) && isBelow(file, root) && file !== summary && !isHidden(file)
    if (!isPage || texts.has(file)) return []
    return [
      {
        rule: 'unlisted-page',
        file,
        message: `${baseName(file)} is not in the table of contents, and no reader sees it`,
      },
    ]
  })
}
