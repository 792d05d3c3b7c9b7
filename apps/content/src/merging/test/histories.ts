import fc from 'fast-check'
import type { FileRecord, PageRecord } from '../../revisions/records.ts'
import { contentOf, file, page, texts, withText, type Content } from './contents.ts'

/** An edit of content as numbers, valid in any content: the kind, the page or file, and two parameters. */
type Step = [kind: number, target: number, one: number, two: number]

/** Settings in the front matter of a text, in adjacent lines. */
export const settingSlots = ['description', 'icon']
/** The parts of a text that edits replace, each in a line of its own; those of the body have other lines between them. */
export const slots = 4
const keys = ['description: ', 'icon: ', 'first ', 'second ']

export function slotText(values: string[]): string {
  const [description, icon, first, second] = values.map((value, at) => (keys[at] ?? '') + value)
  return `---\n${description}\n${icon}\n---\n\n${first}\n\nkeep\n\n${second}\n`
}

export function slotsOf(record: PageRecord): string[] {
  const lines = (texts.get(record.document ?? '') ?? '').split('\n')
  return [1, 2, 5, 9].map((line, at) => (lines[line] ?? '').slice(keys[at]?.length))
}

const step: fc.Arbitrary<Step> = fc.tuple(fc.nat(11), fc.nat(11), fc.nat(11), fc.nat(4))
const history = fc.array(step, { maxLength: 7 })

export interface Histories {
  base: Content
  main: Content
  changeRequest: Content
}

/** A content, and two contents that random edits make of it. */
export const histories: fc.Arbitrary<Histories> = fc
  .tuple(fc.array(step, { minLength: 3, maxLength: 14 }), history, history)
  .map(([first, onMain, onChangeRequest]) => {
    const start = contentOf({
      pages: [page('g', { type: 'group' })],
      variables: { v0: 0 },
      files: [file('f', { file: 'f0.png' })],
    })
    const inserts = first.map(([, ...rest], at): Step => [at % 3 === 2 ? 9 : 0, ...rest])
    const base = applySteps(start, 'b', inserts)
    return { base, main: applySteps(base, 'm', onMain), changeRequest: applySteps(base, 'c', onChangeRequest) }
  })

export function copyOf(content: Content): Content {
  return {
    ...content,
    pages: new Map(content.pages),
    files: new Map(content.files),
    variables: { ...content.variables },
  }
}

function applySteps(before: Content, prefix: string, steps: Step[]): Content {
  const content = copyOf(before)
  for (const [at, each] of steps.entries()) edits[each[0] % edits.length]?.(content, each, `${prefix}${at}`)
  return content
}

type EditOf = (content: Content, step: Step, id: string) => void

const nth = <Row>(rows: Map<string, Row>, at: number): Row | undefined =>
  [...rows.values()][at % Math.max(1, rows.size)]

const insertPage: EditOf = (content, [, target, one, two], id) => {
  const types = ['document', 'document', 'document', 'group', 'link'] as const
  const type = types[two] ?? 'document'
  const parent = type === 'group' ? null : parentAt(content, target)
  const place = { parent, order: `a${one % 4}`, slug: freeSlug(content, { parent, wanted: `s${one % 5}` }) }
  const { slug: _slug, ...link } = page(id, { type, ...place, href: 'https://a.test' })
  const path = freeFile(content, `p${one % 5}.md`)
  if (type === 'link') content.pages.set(id, link)
  else if (type === 'group') content.pages.set(id, page(id, { type, ...place }))
  else content.pages.set(id, page(id, { ...place, file: path, text: slotText(['v0', 'v0', 'v0', 'v0']) }))
}

const editField =
  (field: 'title' | 'emoji'): EditOf =>
  (content, [, target, one]) => {
    const record = nth(content.pages, target)
    if (record) content.pages.set(record.id, { ...record, [field]: `${field}${one % 3}` })
  }

const editText: EditOf = (content, [, target, one, two]) => {
  // Few pages, so that often both sides edit the same text.
  const documents = [...content.pages.values()].filter(({ document }) => document !== undefined)
  const record = documents[target % Math.min(2, documents.length)]
  if (!record) return
  const values = slotsOf(record)
  values[one % slots] = `v${two}`
  content.pages.set(record.id, withText(record, slotText(values)))
}

const movePage: EditOf = (content, [, target, one, two]) => {
  const record = nth(content.pages, target)
  if (!record) return
  const parent = record.type === 'group' ? null : parentAt(content, one)
  if (ancestorsOf(content, parent).includes(record.id)) return
  const slug =
    record.slug === undefined ? {} : { slug: freeSlug(content, { parent, wanted: record.slug, id: record.id }) }
  content.pages.set(record.id, { ...record, parent, order: `a${two}`, ...slug })
}

const renamePage: EditOf = (content, [, target, one]) => {
  const record = nth(content.pages, target)
  if (record?.slug === undefined) return
  const slug = freeSlug(content, { parent: record.parent, wanted: `s${one % 5}`, id: record.id })
  content.pages.set(record.id, { ...record, slug })
}

const deletePage: EditOf = (content, [, target]) => {
  const record = nth(content.pages, target)
  if (!record) return
  const below = [...content.pages.keys()].filter(id => ancestorsOf(content, id).includes(record.id))
  for (const id of below) content.pages.delete(id)
}

const setVariable: EditOf = (content, [, target, one]) => {
  if (one === 0) delete content.variables[`v${target % 3}`]
  else content.variables[`v${target % 3}`] = one % 3
}

const insertFile: EditOf = (content, [, target], id) => {
  content.files.set(id, file(id, { file: freeFile(content, `f${target % 4}.png`) }))
}

const editFile: EditOf = (content, [, target, one, two]) => {
  const record = nth(content.files, target)
  if (record && one === 0) content.files.delete(record.id)
  else if (record) content.files.set(record.id, { ...record, ...(two < 2 ? { name: `n${two}` } : { hash: `h${two}` }) })
}

// prettier-ignore
const edits: EditOf[] = [
  insertPage, editField('title'), editText, editText, movePage, movePage,
  renamePage, deletePage, setVariable, insertFile, editFile, editField('emoji'),
]

/** A page that can have pages below it, or the root. */
function parentAt({ pages }: Content, at: number): string | null {
  const parents = [null, ...[...pages.values()].filter(({ type }) => type === 'document' || type === 'group')]
  return parents[at % parents.length]?.id ?? null
}

/** A page and those above it. */
export function ancestorsOf({ pages }: Content, id: string | null): string[] {
  return id === null ? [] : [id, ...ancestorsOf({ pages } as Content, pages.get(id)?.parent ?? null)]
}

function freeSlug({ pages }: Content, { parent, wanted, id }: { parent: string | null; wanted: string; id?: string }) {
  const taken = new Set(
    [...pages.values()].filter(each => each.parent === parent && each.id !== id).map(({ slug }) => slug),
  )
  let slug = wanted
  while (taken.has(slug)) slug += 'x'
  return slug
}

function freeFile({ pages, files }: Content, preferredPath: string): string {
  const taken = new Set([...pages.values(), ...(files.values() as Iterable<FileRecord>)].map(record => record.file))
  let path = preferredPath
  while (taken.has(path)) path = `x${path}`
  return path
}
