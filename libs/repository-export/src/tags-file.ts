import { isDeepStrictEqual } from 'node:util'
import { cleanTexts, inLineEndingsOf, readTags, type SpaceTag, withoutInvisible } from '@recto/markdown'
import { isMap, isSeq, parseDocument, type Document, type YAMLMap } from 'yaml'

/** Updates the changed tags in `.gitbook/tags.yaml`; others stay, also those that could not be read. Undefined when nothing changes. */
export function updateTags(
  text: string | undefined,
  { now, before }: { now: readonly SpaceTag[]; before: readonly SpaceTag[] },
): string | undefined {
  const source = text ?? ''
  const old = bySlug(before)
  const existing = bySlug(readTags(source, '').tags)
  const changed = now.filter(
    tag => !isDeepStrictEqual(old.get(tag.slug), tag) && !isDeepStrictEqual(existing.get(tag.slug), tag),
  )
  const tagsNow = bySlug(now)
  const removed = before.filter(({ slug }) => !tagsNow.has(slug) && existing.has(slug))
  if (changed.length + removed.length === 0) return undefined
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const document = parseDocument(source.slice(mark.length), { uniqueKeys: false, logLevel: 'silent' })
  const { contents, errors } = document
  if (errors.length > 0 || (contents !== null && !isSeq(contents))) return undefined
  cleanTexts(document)
  document.contents ??= document.createNode([]) as typeof contents
  for (const { slug } of removed) removeTag(document, slug)
  for (const tag of changed) writeTag(document, tag)
  return mark + inLineEndingsOf(source, document.toString({ lineWidth: 0 }))
}

function bySlug(tags: readonly SpaceTag[]): ReadonlyMap<string, SpaceTag> {
  return new Map(tags.map(tag => [tag.slug, tag]))
}

function itemsOf({ contents }: Document): unknown[] {
  return isSeq(contents) ? contents.items : []
}

/** Finds the entry of a tag as `readTags` reads it: the first one counts. */
function entryAt(document: Document, slug: string): number {
  return itemsOf(document).findIndex(item => isMap(item) && nameOf(item) === slug)
}

function nameOf(entry: YAMLMap): string | undefined {
  const name = entry.get('tag')
  return typeof name === 'string' || typeof name === 'number' ? withoutInvisible(String(name)).trim() : undefined
}

function removeTag(document: Document, slug: string): void {
  const at = entryAt(document, slug)
  if (at >= 0) document.deleteIn([at])
}

function writeTag(document: Document, { slug, label, color, emoji, icon }: SpaceTag): void {
  const fields = { label, color: color === 'default' ? undefined : color, emoji, icon }
  const at = entryAt(document, slug)
  if (at < 0) return document.addIn([], document.createNode({ tag: slug, ...fields }))
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) document.deleteIn([at, name])
    else if (document.getIn([at, name]) !== value) document.setIn([at, name], value)
  }
}
