import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { decodeUriComponent } from '@recto/text'

/** Bytes of one name: file systems have 255. */
const maxNameBytes = 200

/** Addresses of a site that only a server can answer. */
const serverPaths =
  /^(?:.*\/)?(?:~recto\/(?:search|mcp|ask|events?|diagram)|~changes|~gitbook)|\.md$|(?:^|\/)(?:rss\.xml|llms(?:-full)?\.txt|sitemap[^/]*\.xml|robots\.txt)$/

/** Whether an address below the root of a site is left out of an export. */
export function isServerPath(path: string): boolean {
  return serverPaths.test(path)
}

/** Names files for addresses, each once, also where a file system does not tell upper from lower case. */
export class OutputPaths {
  readonly #paths = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** The file of an address below the root of the site, without query: a page gets a name that ends in `.html`. */
  pathOf(path: string, { isPage }: { isPage: boolean }): string {
    const current = this.#paths.get(path)
    if (current !== undefined) return current
    const names = path.split('/').filter(Boolean).map(safeName)
    const plain = names.join('/') || 'index'
    const name = isPage ? `${plain}.html` : plain
    const file = this.#isFree(name) ? name : numbered(name, path)
    this.#paths.set(path, file)
    this.#taken.add(file.toLowerCase())
    return file
  }

  #isFree(name: string): boolean {
    return !this.#taken.has(name.toLowerCase())
  }
}

function numbered(name: string, path: string): string {
  const { dir, name: base, ext } = posix.parse(name)
  return posix.join(dir, `${base}-${digest(path)}${ext}`)
}

/** A part of an address as a name that leads nowhere else and that every file system takes. */
function safeName(part: string): string {
  const decoded = (decodeUriComponent(part) ?? part).normalize('NFC')
  const name = decoded
    .replaceAll(/[\p{Cc}\\/:*?"<>|~#%]/gu, '_')
    .replace(/^\.+$/, '_')
    .replace(/^\./, '_')
  if (Buffer.byteLength(name) <= maxNameBytes) return name
  return `${digest(decoded)}${posix.extname(name).slice(0, 20)}`
}

function digest(text: string): string {
  return hash('sha256', text).slice(0, 12)
}

/** The address of a file as a page in another one names it. */
export function relativeUrl(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.split('/').map(encodeURIComponent).join('/')
}
