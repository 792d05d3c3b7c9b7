import { createHash } from 'node:crypto'
import {
  documentSchemaVersion,
  type EvaluationScope,
  hasExpressions,
  type JSONDocument,
  unparsedDocument,
} from '@recto/markdown'
import { createParseCache, type MarkdownPool, orFallback, parseOnce } from './parse-once.ts'

/** Estimated bytes of a document for each byte of its Markdown. */
const bytesPerMarkdownByte = 16
/** Size of the cache in bytes, as estimated by `bytesPerMarkdownByte`. */
const cachedBytes = 64 * 1024 * 1024

/** Parsed documents. Their references are not resolved, so that one document serves all revisions. */
const documents = createParseCache<JSONDocument>(cachedBytes)
const texts = createParseCache<{ markdown: string }>(cachedBytes)

/** The Markdown of a page, with the title that its first heading may repeat. */
export interface StoredText {
  hash: string
  bytes: Buffer
  title?: string
}

/**
 * Parses the document of a text, once per hash and title, in a worker thread. Its references are as `withReferences` takes them. With a
 * scope, its expressions are evaluated. A text that takes too long becomes one raw block.
 */
export async function documentOf(
  pool: MarkdownPool,
  { hash, bytes, title }: StoredText,
  scope?: EvaluationScope,
): Promise<JSONDocument> {
  const markdown = bytes.toString()
  const source = { markdown, ...(title !== undefined && { title }) }
  const length = bytes.length * bytesPerMarkdownByte
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

/** Evaluates the expressions in the Markdown of a text; a text without expressions stays byte for byte the same. */
export async function evaluateText(pool: MarkdownPool, text: StoredText, scope: EvaluationScope): Promise<string> {
  const markdown = text.bytes.toString()
  if (!hasExpressions(await documentOf(pool, text))) return markdown
  const key = keyOf(text.hash, JSON.stringify(scope))
  const { markdown: evaluatedMarkdown } = await parseOnce(texts, { key, length: text.bytes.length }, async () => ({
    markdown: await orFallback(pool.run('evaluatedMarkdown', { markdown, evaluation: { scope } }), () => markdown),
  }))
  return evaluatedMarkdown
}

/** Whether a text was too large or too slow to be parsed: its conditions are part of the raw text then. */
function isUnparsed({ nodes: [first, second] }: JSONDocument): boolean {
  return second === undefined && first?.type === 'code' && first.data?.['raw'] === true
}

/** Whether a text has conditions: a text that cannot be evaluated must not show content that only some visitors may see. */
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
