import { toDocument, type JSONDocument } from '@recto/markdown'
import { LRUCache } from 'lru-cache'
import type { ComponentChildren } from 'preact'
import { inside, type Context } from '../model/context.ts'
import { linesOf } from '../text/leaves.tsx'

/** Characters of a description that is read as Markdown; a longer one is shown as it is. */
const longest = 20_000
const cache = new LRUCache<string, JSONDocument>({
  max: 2_000,
  maxSize: 8_000_000,
  sizeCalculation: (_value, key) => key.length * 8 + 64,
})

/** A text of a specification, which is Markdown. */
export function description(markdown: string | undefined, context: Context): ComponentChildren {
  if (markdown === undefined) return null
  context.state.descriptionLeft -= markdown.length
  const isShort = markdown.length <= longest && context.state.descriptionLeft >= 0
  if (!isShort) return <p class="openapi-text">{linesOf(markdown.slice(0, longest))}</p>
  const within = inside(context, { isOutlined: false })
  return <div class="openapi-text">{context.blocks(documentOf(markdown).nodes, within)}</div>
}

function documentOf(markdown: string): JSONDocument {
  const document = cache.get(markdown) ?? toDocument(markdown, { reference: url => ({ kind: 'url', url }) })
  cache.set(markdown, document)
  return document
}
