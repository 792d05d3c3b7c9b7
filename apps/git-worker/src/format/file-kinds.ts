import mime from 'mime-types'
import { isBelow, isMarkdown, joinInside, settingsFile } from '@recto/repository-format'

/** The media type that the name of a file promises. */
function namedType(path: string): string {
  return mime.lookup(path) || 'application/octet-stream'
}

/**
 * Tells whether a path of the content folder is a file of the space: everything under `.gitbook/assets`, every image, video,
 * sound and PDF outside hidden folders, and whatever else a page refers to. Markdown outside the assets never is, nor is Recto's own file.
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
