import { createHash } from 'node:crypto'
import {
  documentSchemaVersion,
  type EvaluationScope,
  hasExpressions,
  type JSONDocument,
  unparsedDocument,
} from '@recto/markdown'
import { createParseCache, type MarkdownPool, orFallback, parseOnce } from './parse-once.ts'

/** A document takes about so many bytes for each of its Markdown. */
const growth = 16
/** Bytes of cached documents, as estimated by `growth`. */
const cachedBytes = 64 * 1024 * 1024

/** Their references say what was written, so that the same document serves all revisions. */
const documents = createParseCache<JSONDocument>(cachedBytes)
const texts = createParseCache<{ markdown: string }>(cachedBytes)

/** The Markdown of a page, with the title that its first heading may repeat. */
export interface StoredText {
  hash: string
  bytes: Buffer
  title?: string
}

/**
 * The document of a text, parsed once per hash and title in a worker thread, with references as `withReferences` takes them. With a
 * scope, its expressions are evaluated. A text that takes too long is one raw block.
 */
export async function documentOf(
  pool: MarkdownPool,
  { hash, bytes, title }: StoredText,
  scope?: EvaluationScope,
): Promise<JSONDocument> {
  const markdown = bytes.toString()
  const source = { markdown, ...(title !== undefined && { title }) }
  const length = bytes.length * growth
  const parse = (key: string, evaluation?: { scope: EvaluationScope }) =>
    parseOnce(documents, { key, length }, () =>
      orFallback(pool.run('document', { ...source, ...(evaluation && { evaluation }) }), () =>
        unparsedDocument(markdown),
      ),
    )
  const key = keyOf(hash, title ?? '')
  const plain = await parse(key)
  if (scope?.visitor && isUnparsed(plain) && hasCondition(markdown)) return emptyDocument()
  return scope && hasExpressions(plain) ? parse(keyOf(key, JSON.stringify(scope)), { scope }) : plain
}

/** The Markdown of a text with its expressions evaluated; byte for byte the same when it has none. */
export async function evaluatedTextOf(pool: MarkdownPool, text: StoredText, scope: EvaluationScope): Promise<string> {
  const markdown = text.bytes.toString()
  if (!hasExpressions(await documentOf(pool, text))) return markdown
  const key = keyOf(text.hash, JSON.stringify(scope))
  const { markdown: evaluated } = await parseOnce(texts, { key, length: text.bytes.length }, async () => ({
    markdown: await orFallback(pool.run('evaluatedMarkdown', { markdown, evaluation: { scope } }), () => markdown),
  }))
  return evaluated
}

/** Whether a text was too large or too slow to be parsed: then its conditions stand in it as text. */
function isUnparsed({ nodes: [first, second] }: JSONDocument): boolean {
  return second === undefined && first?.type === 'code' && first.data?.['raw'] === true
}

/** Whether a text has conditions: one that cannot be evaluated must not show content that is only for some. */
function hasCondition(markdown: string): boolean {
  return /\{%-?\s*if\b/.test(markdown)
}

/** The document of a page without text. */
export function emptyDocument(): JSONDocument {
  return { object: 'document', data: { schemaVersion: documentSchemaVersion }, nodes: [] }
}

function keyOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
