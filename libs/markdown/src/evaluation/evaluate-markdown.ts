import { toDocument } from '../document/to-document.ts'
import { writtenReference, writtenTarget } from '../document/references.ts'
import { splitPage } from '../front-matter/split-page.ts'
import { normalizeText } from '../syntax/parse.ts'
import { toMarkdown } from '../writing/to-markdown.ts'
import { evaluateDocument, hasExpressions, type Evaluation } from './evaluate-document.ts'

/**
 * A page file with the text of its expressions in their place, and with what its conditions show: in normal form, with the front
 * matter as it was. A page without expressions is returned as it is.
 */
export function evaluateMarkdown(markdown: string, evaluation: Evaluation): string {
  const document = toDocument(markdown, { reference: writtenReference })
  if (!hasExpressions(document)) return markdown
  const text = normalizeText(markdown)
  const head = text.slice(0, splitPage(text).bodyOffset)
  const body = toMarkdown(evaluateDocument(document, evaluation), { target: ref => writtenTarget(ref) ?? '' })
  return head === '' ? body : `${head}\n${body}`
}
