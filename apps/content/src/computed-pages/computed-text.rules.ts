import type { SpecificationOutline } from '@recto/contracts-openapi-specs-bus'
import { writeTag } from '@recto/markdown'
import type { z } from 'zod'

/** The parts of a specification that become pages. */
export type SpecOutline = z.output<typeof SpecificationOutline>
/** A page of an outline. */
export type OutlinePage = SpecOutline['pages'][number]

/** The source of an operation's block: a specification of the organization, or the URL of a specification. */
export type OperationSource = { spec: string } | { src: string }

/**
 * Writes the Markdown of a tag's page: its text, and a block for each operation. The words in a block say what it shows, for search and
 * for readers of Markdown.
 */
export function operationsText(source: OperationSource, { text, operations, webhooks }: OutlinePage): string {
  const [operation, webhook] = 'spec' in source ? ['openapi-operation', 'openapi-webhook'] : ['openapi', 'openapi']
  return joinParagraphs([
    escapeText(text),
    ...operations.map(({ method, path, title }) =>
      block(operation, { ...source, path, method }, describeOperation(`${method.toUpperCase()} ${path}`, title)),
    ),
    ...webhooks.map(({ method, name, title }) =>
      block(
        webhook,
        { ...source, ...('spec' in source ? { name } : { path: name }), method },
        describeOperation(`${method.toUpperCase()} ${name}`, title),
      ),
    ),
  ])
}

/** Writes the Markdown of the overview of a specification. */
export function overviewText({ text }: SpecOutline): string {
  return joinParagraphs([escapeText(text)])
}

/** Writes the Markdown of the page of all models; empty without models. */
export function modelsText(spec: string, { schemas }: SpecOutline): string {
  if (schemas.length === 0) return ''
  const values = { spec, schemas: schemas.join(','), grouped: true }
  return joinParagraphs([block('openapi-schemas', values, schemas.map(escapeLine).join(', '))])
}

function block(name: string, values: Record<string, unknown>, words: string): string {
  return `${writeTag(name, values)}\n${words}\n${writeTag(`end${name}`)}`
}

function describeOperation(operation: string, title: string | undefined): string {
  return title === undefined ? escapeLine(operation) : `${escapeLine(title)}: ${escapeLine(operation)}`
}

/**
 * Escapes the text of a specification, which strangers wrote, for a page: the result has no tags or expressions, which could include
 * the text after them or show values of the space, and no front matter.
 */
function escapeText(text: string | undefined): string {
  const neutral = (text ?? '').replaceAll('{%', '{&#37;').replaceAll(/<(?=[^>]*\bexpression\b)/gi, '&lt;')
  return neutral.startsWith('---') ? `\\${neutral}` : neutral
}

/** Escapes a text for one line of Markdown. */
function escapeLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
}

function joinParagraphs(parts: string[]): string {
  const paragraphs = parts.filter(part => part !== '')
  return paragraphs.length === 0 ? '' : `${paragraphs.join('\n\n')}\n`
}
