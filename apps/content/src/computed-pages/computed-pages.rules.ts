import { createHash } from 'node:crypto'
import { slugOfTitle, slugSet } from '@recto/repository-format'
import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import type { ComputedPageRecord } from '../revisions/records.ts'
import { modelsText, operationsText, type OutlinePage, overviewText, type SpecOutline } from './computed-text.rules.ts'

/** A declaration of computed pages, and the outline that they are made of. */
export interface PagesToCompute {
  spaceId: string
  /** The id of the page that declares them. */
  page: string
  spec: string
  models: boolean
  grouping?: 'by-operation' | undefined
  outline: SpecOutline
}

/** The pages that stand in the place of a declaration, and their documents. */
export interface ComputedPages {
  records: ComputedPageRecord[]
  documents: NewDocument[]
}

/** A page to compute: `key` names it in its specification. */
interface Draft {
  key: string
  parent?: string | undefined
  name: string
  title: string
  description?: string | undefined
  icon?: string | undefined
  text: string
  part: { doc: 'info' | 'operations'; page: string } | { doc: 'models' }
}

/** A part of a specification that a document can be made from. */
export type SpecPart = { doc: 'models' } | { doc: 'info' | 'operations' | 'tag'; page: string } | OperationPart

/** One operation by its path and method, or one webhook by its name. */
interface OperationPart {
  doc: 'operation'
  page: string
  method: string
}

/**
 * Computes the pages of a specification: an overview, a page for each page of its outline, in its order and nesting, below it one for
 * each of its operations if they are grouped so, and with `models` a last page of all models, if there are any. Ids follow from space, declaration, specification and key, and paths from names: neither
 * depends on other pages, unless two pages have the same name.
 */
export function computePages(request: PagesToCompute): ComputedPages {
  const { spaceId, page: source, spec } = request
  const idOf = (key: string) => stableId([spaceId, source, spec, key])
  const slugs = new Map<string, (slug: string) => string>()
  const drafts = draftPages(request)
  const pages = drafts.map((draft, at) => {
    const parent = draft.parent === undefined ? source : idOf(draft.parent)
    const slugIn = slugs.get(parent) ?? slugSet()
    slugs.set(parent, slugIn)
    const document = draft.text === '' ? undefined : newDocument(draft.text)
    const { key, title, description, icon, part } = draft
    const record: ComputedPageRecord = {
      id: idOf(key),
      type: 'document',
      source,
      title,
      parent,
      order: String(at).padStart(5, '0'),
      slug: slugIn(slugOfTitle(draft.name)),
      ...(document && { document: document.hash }),
      ...(description !== undefined && { description }),
      ...(icon !== undefined && { icon }),
      computed: { type: 'builtin:openapi', props: part, dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
    }
    return { record, document }
  })
  return { records: pages.map(({ record }) => record), documents: pages.flatMap(({ document }) => document ?? []) }
}

function draftPages({ spec, outline, models, grouping }: PagesToCompute): Draft[] {
  const overview: Draft = {
    key: 'info',
    name: 'overview',
    title: outline.title,
    text: overviewText(outline),
    part: { doc: 'info', page: 'info' },
  }
  const byOperation = grouping === 'by-operation'
  const pages = outline.pages.flatMap((page): Draft[] => {
    const { key, parent, name, title, description, icon } = page
    const part = { doc: 'operations' as const, page: key }
    const text = operationsText({ spec }, byOperation ? withoutOperations(page) : page)
    const draft: Draft = { key, parent, name, title, description, icon, text, part }
    return [draft, ...(byOperation ? operationPages(page).map(each => operationDraft(spec, each)) : [])]
  })
  const all: Draft = {
    key: 'models',
    name: 'models',
    title: 'Models',
    text: modelsText(spec, outline),
    part: { doc: 'models' },
  }
  return [overview, ...pages, ...(models && outline.schemas.length > 0 ? [all] : [])]
}

/** A page of one operation, or of one webhook: its key names it in its specification. */
interface OperationPage extends OutlinePage {
  parent: string
}

/** The pages of the operations of a page, in their order. */
function operationPages(page: OutlinePage): OperationPage[] {
  const only = (call: { method: string; title?: string | undefined }, place: string) => {
    const name = `${call.method} ${place}`
    return { key: `${page.key} ${name}`, parent: page.key, name, title: call.title ?? `${call.method.toUpperCase()} ${place}`, operations: [], webhooks: [] } // prettier-ignore
  }
  return [
    ...page.operations.map(operation => ({ ...only(operation, operation.path), operations: [operation] })),
    ...page.webhooks.map(webhook => ({ ...only(webhook, webhook.name), webhooks: [webhook] })),
  ]
}

function operationDraft(spec: string, page: OperationPage): Draft {
  const { key, parent, name, title } = page
  return { key, parent, name, title, text: operationsText({ spec }, page), part: { doc: 'operations', page: key } }
}

function withoutOperations(page: OutlinePage): OutlinePage {
  return { ...page, operations: [], webhooks: [] }
}

/** Writes the text of a part of a specification; undefined when it has no such part. */
export function computedText(spec: string, outline: SpecOutline, part: SpecPart): string | undefined {
  if (part.doc === 'info') return overviewText(outline)
  if (part.doc === 'models') return modelsText(spec, outline)
  const page = pageOf(outline, part)
  return page && operationsText({ spec }, page)
}

/** The page of a part; undefined when the specification has none. */
function pageOf({ pages }: SpecOutline, part: Exclude<SpecPart, { doc: 'models' }>): OutlinePage | undefined {
  const ofOperations = pages.flatMap(operationPages)
  if (part.doc === 'operation') return ofOperations.find(page => shows(page, part))
  const page = pages.find(({ key }) => key === part.page)
  if (part.doc === 'tag') return page && withoutOperations(page)
  return page ?? ofOperations.find(({ key }) => key === part.page)
}

function shows({ operations, webhooks }: OutlinePage, { page, method }: OperationPart): boolean {
  if (method === 'hook') return webhooks.some(({ name }) => name === page)
  return operations.some(operation => operation.path === page && operation.method === method)
}

/** Makes an id that is always the same for the same parts. */
function stableId(parts: string[]): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let number = BigInt(`0x${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`)
  let id = ''
  for (; id.length < 20; number /= 62n) id += digits[Number(number % 62n)]
  return id
}
