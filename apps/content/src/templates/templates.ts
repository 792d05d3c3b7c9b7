import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Archive, Collector, convertArchive, type ConvertedSet } from '@recto/convert'
import { Failure, fieldFault } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { withSettingsOfSet } from '../conversions/settings-of-set.rules.ts'
import { fileStore, taskRunner } from '../conversions/convert-tools.ts'
import { type TemplateLinks, withLinks } from './templates.rules.ts'

const limits = { maxBytes: 10_000_000, maxFiles: 1_000, maxPageBytes: 1_000_000 }

/** The pages of a built-in template with its links. Throws `not_found` for an unknown one, `invalid_request` (in `field`) for a link that it does not have. */
export async function readTemplate(
  { templates, convert, blobs }: Pick<Context, 'templates' | 'convert' | 'blobs'>,
  { id, field }: { id: string; field: string },
  links: TemplateLinks,
): Promise<ConvertedSet> {
  const templateIds = await readdir(templates)
  if (!templateIds.includes(id)) throw new Failure('not_found', 'There is no such template')
  const unused = new Set(Object.keys(links))
  const archive = withArchiveLinks(await openFolder(join(templates, id)), links, unused)
  const collector = new Collector({
    run: taskRunner(convert),
    limits,
    storeFile: fileStore(blobs).storeFile,
    fetch: refuse,
    download: refuse,
  })
  const set = withSettingsOfSet(await convertArchive(archive, collector))
  const [missing] = unused
  if (missing !== undefined) throw fieldFault(`${field}.${missing}`, `is no link of the template ${id}`)
  return set
}

const refuse = () => Promise.reject(new Error('templates fetch nothing'))

/** Presents a folder on disk as an archive: lists its paths now, and reads each file only when asked. */
async function openFolder(folder: string): Promise<Archive> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return {
    paths: files.map(file => relative(folder, file).replaceAll(sep, '/')).sort(),
    read: path => readFile(join(folder, path)),
    stream: async path => createReadStream(join(folder, path)),
  }
}

function withArchiveLinks(archive: Archive, links: TemplateLinks, unused: Set<string>): Archive {
  return {
    ...archive,
    async read(path, maxBytes) {
      const { text, used } = withLinks(Buffer.from(await archive.read(path, maxBytes)).toString(), links)
      for (const name of used) unused.delete(name)
      return Buffer.from(text)
    },
  }
}
