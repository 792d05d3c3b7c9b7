import { type SpaceTag, tagsOfUpdates } from '@recto/markdown'
import { hashesContaining } from '../content-store/content.repository.ts'
import { createParseCache, parseOnce } from '../documents/parse-once.ts'
import { readDocument, textOfPage, textOfReusable, type TextTools, type WrittenText } from './read-text.ts'
import type { ResolvedRevision } from './resolve-revision.ts'

/** Every text with an update has it. */
const endOfUpdate = 'endupdate'
/** Names of tags that visitors meet, by revision and claims: one entry for each name. */
const seenNames = createParseCache<ReadonlySet<string>>(100_000)

type Source = Pick<ResolvedRevision, 'revision' | 'view'>

/** The described tags that the caller may know: members all of them, visitors those of pages, by their names, and of updates that they see. */
export async function seenTags(
  names: readonly string[],
  source: Source,
  context: TextTools,
): Promise<readonly SpaceTag[]> {
  const { visitor } = context.actor
  const described = source.revision.configuration?.tags ?? []
  if (!visitor || described.length === 0) return described
  const ofPages = new Set(names)
  if (described.every(({ slug }) => ofPages.has(slug))) return described
  const { site, version, claims } = visitor
  const key = JSON.stringify([source.revision.id, source.view.key, site, version, claims])
  const ofUpdates = await parseOnce(seenNames, { key, length: seen => seen.size }, () => namesInTexts(source, context))
  return described.filter(({ slug }) => ofPages.has(slug) || ofUpdates.has(slug))
}

/** The names of the tags of all updates that a visitor sees. */
async function namesInTexts({ revision, view }: Source, context: TextTools): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const text of await textsWithUpdates({ revision, view }, context)) {
    const document = await readDocument(text, { evaluated: 'true', revision, view }, context)
    for (const name of tagsOfUpdates(document)) names.add(name)
  }
  return names
}

async function textsWithUpdates({ view }: Source, { db }: TextTools): Promise<WrittenText[]> {
  const pages = await view.pages()
  const records = [...pages.inOrder(), ...(await view.reusableContents())]
  const hashes = records.flatMap(({ document }) => document ?? [])
  const hits = await hashesContaining(db, hashes, endOfUpdate)
  const withUpdates = records.filter(({ document }) => document !== undefined && hits.has(document))
  return Promise.all(
    withUpdates.map(async record => {
      const read = await view.textOf(record)
      return 'parent' in read ? textOfPage(read, pages) : textOfReusable(read)
    }),
  )
}
