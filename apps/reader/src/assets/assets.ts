import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { readFonts } from '../theme/fonts.ts'
import type { AssetUrls } from '../layout/view.ts'
import type { PageResponse } from '../responses/page-response.ts'

/** The reader's own files: styles, script and fonts. */
export interface Assets {
  /** Addresses of the files below a site's root. */
  urls(root: string): AssetUrls
  /** A file at a path of any site, in the gzip format where it is text and that is accepted; undefined for any other path. */
  at(path: string, accepts: { acceptsGzip: boolean }): Promise<PageResponse | undefined>
}

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  map: 'application/json',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}
const texts = /\.(?:css|js|map|svg)$/
const assetPath = /\/~recto\/assets\/([\w-]{1,64})\/((?:fonts\/)?[\w.-]+)$/
const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5fd6"/><path d="M9 8h11a4 4 0 0 1 4 4v12H13a4 4 0 0 1-4-4z" fill="none" stroke="#fff" stroke-width="2.4"/><path d="M13 13h7M13 17h7" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>`

/** Reads the files of a folder that the build made, and lists the fonts of the packages. `from` is the module that has these packages. */
export function loadAssets(folder: string, from: string): Assets {
  const fonts = readFonts(from)
  const own = new Map<string, Buffer>([['favicon.svg', Buffer.from(favicon)]])
  for (const name of existsSync(folder) ? readdirSync(folder) : []) own.set(name, readFileSync(join(folder, name)))
  for (const [name, css] of fonts.css) own.set(name, Buffer.from(css))
  const version = versionOf(own)

  const read = async (name: string): Promise<Buffer | undefined> => {
    const path = fonts.files.get(name)
    return own.get(name) ?? (path === undefined ? undefined : readFile(path))
  }
  // Each is compressed when it is asked for first.
  const compressed = new Map<string, Promise<Buffer>>()
  const compress = (name: string, body: Buffer): Promise<Buffer> => {
    const pending = compressed.get(name) ?? promisify(gzip)(body, { level: 9 })
    compressed.set(name, pending)
    return pending
  }
  return {
    urls: root => {
      const of = (name: string) => `${root}~recto/assets/${version}/${name}`
      return { style: of('reader.css'), mathStyle: of('math.css'), script: of('reader.js'), of }
    },
    async at(path, { acceptsGzip }) {
      const [, of, name = ''] = assetPath.exec(path) ?? []
      const body = of === undefined ? undefined : await read(name)
      if (!body) return undefined
      const isCompressed = acceptsGzip && texts.test(name)
      return {
        status: 200,
        headers: {
          'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
          ...(isCompressed && { 'content-encoding': 'gzip' }),
          // A page of another version of the reader gets what this one has, but not for long.
          'cache-control': of === version ? 'public, max-age=31536000, immutable' : 'public, max-age=60',
          'access-control-allow-origin': '*',
        },
        body: isCompressed ? await compress(name, body) : body,
      }
    },
  }
}

function versionOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256')
  for (const [name, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) hash.update(name).update(bytes)
  return hash.digest('base64url').slice(0, 12)
}
