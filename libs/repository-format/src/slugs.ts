import { baseName, folderOf } from './paths.ts'

/** The slug of a page from its file: the name without extension, for a README the name of its folder, at the root `readme`. */
export function slugOfFile(path: string, root: string): string {
  const name = baseName(path).replace(/\.[^.]+$/, '')
  const isReadme = name.toLowerCase() === 'readme'
  const folder = folderOf(path)
  if (!isReadme) return clean(name) || 'page'
  return folder === root ? 'readme' : clean(baseName(folder)) || 'readme'
}

/** The slug of an entry without file, or of a group, from its title. */
export function slugOfTitle(title: string): string {
  const folded = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  return folded.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? 'page'
}

function clean(name: string): string {
  const slug = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}._~-]+/gu, '-')
  let start = 0
  let end = slug.length
  while (slug[start] === '-') start++
  while (end > start && slug[end - 1] === '-') end--
  return slug.slice(start, end)
}

/** Hands out slugs among siblings, none of those that are taken: the second of a kind gets `-1`, the next `-2`. */
export function slugSet(others: Iterable<string> = []): (slug: string) => string {
  const taken = new Set(others)
  const next = new Map<string, number>()
  return preferred => {
    let slug = preferred
    let count = next.get(preferred) ?? 0
    while (taken.has(slug)) slug = `${preferred}-${++count}`
    next.set(preferred, count)
    taken.add(slug)
    return slug
  }
}
