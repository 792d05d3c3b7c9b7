import { createHash } from 'node:crypto'
import { slugOfTitle, slugSet } from '@recto/repository-format'
import { newDocument, type NewDocument } from '../content-store/new-document.ts'
import type { ComputedPageRecord } from '../revisions/records.ts'
import { modelsText, operationsText, overviewText, type SpecOutline } from './computed-text.rules.ts'

/** A declaration of computed pages, and the outline that they are made of. */
export interface PagesToCompute {
  spaceId: string
  /** The id of the page that declares them. */
  page: string
  spec: string
  models: boolean
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

/**
 * Computes the pages of a specification: an overview, a page for each page of its outline, in its order and nesting, and with `models` a
 * last page of all models, if there are any. Ids follow from space, declaration, specification and key, and paths from names: neither
 * depends on other pages, unless two pages have the same name.
 */
export function computePages({ spaceId, page: source, spec, models, outline }: PagesToCompute): ComputedPages {
  const idOf = (key: string) => stableId([spaceId, source, spec, key])
  const slugs = new Map<string, (slug: string) => string>()
  const drafts = draftPages(spec, outline, models)
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

function draftPages(spec: string, outline: SpecOutline, models: boolean): Draft[] {
  const overview: Draft = {
    key: 'info',
    name: 'overview',
    title: outline.title,
    text: overviewText(outline),
    part: { doc: 'info', page: 'info' },
  }
  const pages = outline.pages.map((page): Draft => {
    const { key, parent, name, title, description, icon } = page
    const part = { doc: 'operations' as const, page: key }
    return { key, parent, name, title, description, icon, text: operationsText({ spec }, page), part }
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

/** Writes the text of a part of a specification; undefined when it has no such part. */
export function computedText(spec: string, outline: SpecOutline, part: Draft['part']): string | undefined {
  if (part.doc === 'info') return overviewText(outline)
  if (part.doc === 'models') return modelsText(spec, outline)
  const page = outline.pages.find(({ key }) => key === part.page)
  return page && operationsText({ spec }, page)
}

/** Makes an id that is always the same for the same parts. */
function stableId(parts: string[]): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let number = BigInt(`0x${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`)
  let id = ''
  for (; id.length < 20; number /= 62n) id += digits[Number(number % 62n)]
  return id
}
