import mime from 'mime-types'
import { isBelow, isMarkdown, joinInside, settingsFile } from '@recto/repository-format'

/** The media type by the name of a file. */
export function namedType(path: string): string {
  return mime.lookup(path) || 'application/octet-stream'
}

/**
 * Whether a path of the content folder is a file of the space: all of `.gitbook/assets`, images, video, sound and PDF outside hidden folders,
 * and any file that a page refers to. Markdown outside the assets and Recto's own file are not.
 */
export function isContentFile(
  path: string,
  { root, referenced }: { root: string; referenced: ReadonlySet<string> },
): boolean {
  if (isBelow(path, joinInside(root, '.gitbook/assets') ?? '.gitbook/assets')) return true
  if (isMarkdown(path) || path === joinInside(root, settingsFile)) return false
  if (referenced.has(path)) return true
  const inside = root === '' ? path : path.slice(root.length + 1)
  return (
    !inside.split('/').some(name => name.startsWith('.')) &&
    /^(image|video|audio)\/|^application\/pdf$/.test(namedType(path))
  )
}

/** Whether a file stands for one that Git LFS keeps elsewhere. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 43)).toString('latin1')
  return bytes.length < 1_024 && start.startsWith('version https://git-lfs.github.com/spec/v1')
}
