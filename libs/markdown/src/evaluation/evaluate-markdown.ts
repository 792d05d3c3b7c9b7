import { toDocument } from '../document/to-document.ts'
import { writtenReference, writtenTarget } from '../document/references.ts'
import { splitPage } from '../front-matter/split-page.ts'
import { normalizeText } from '../syntax/parse.ts'
import { toMarkdown } from '../writing/to-markdown.ts'
import { evaluateDocument, hasExpressions, type Evaluation } from './evaluate-document.ts'

/**
 * Evaluates the expressions and conditions of a page file. The result is in normal form, with its front matter kept; a page with neither is
 * returned unchanged.
 */
export function evaluateMarkdown(markdown: string, evaluation: Evaluation): string {
  const document = toDocument(markdown, { reference: writtenReference })
  if (!hasExpressions(document)) return markdown
  const text = normalizeText(markdown)
  const head = text.slice(0, splitPage(text).bodyOffset)
  const body = toMarkdown(evaluateDocument(document, evaluation), { target: ref => writtenTarget(ref) ?? '' })
  return head === '' ? body : `${head}\n${body}`
}
