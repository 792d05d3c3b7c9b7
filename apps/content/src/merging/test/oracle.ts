import type { PageRecord } from '../../revisions/records.ts'
import { settingSlots, slotsOf, type Histories } from './histories.ts'
import { treeOf, withText, texts, type Content } from './contents.ts'

/** The expected conflicts, found by comparing the values of the three contents, without a merge. */
export interface Expected {
  /** `kind subject field` of each value that both sides changed differently. */
  values: string[]
  /** Whether the merged structure conflicts: deletion against change, cycles, paths. */
  isStructural: boolean
  /** Whether a side deleted a page that the other changed, or put a page below. */
  hasDeletion: boolean
}

type Value = string | number | boolean | null | undefined

const differ = (base: Value, main: Value, changeRequest: Value) =>
  main !== base && changeRequest !== base && main !== changeRequest
const either = (base: Value, main: Value, changeRequest: Value) => (main === base ? changeRequest : main)

const placeOf = (record: PageRecord | undefined) => record && `${record.parent} ${record.order}`
const partsOf = (record: PageRecord) => [placeOf(record), record.title, record.slug, record.emoji, ...slotsOf(record)]

export function expectedConflicts({ base, main, changeRequest }: Histories): Expected {
  const all = { base, main, changeRequest }
  const values = [...pageValues(all), ...fileValues(all), ...variableValues(all)]
  const isDeletion = hasDeletion(all)
  const isStructural = isDeletion || hasCycle(all) || hasSamePath(all)
  return { values: values.sort(), isStructural, hasDeletion: isDeletion }
}

function pageValues({ base, main, changeRequest }: Histories): string[] {
  return [...base.pages.values()].flatMap(a => {
    const b = main.pages.get(a.id)
    const c = changeRequest.pages.get(a.id)
    if (!b || !c) return []
    const fields = (['title', 'slug', 'emoji'] as const).filter(name => differ(a[name], b[name], c[name]))
    const x = slotsOf(a)
    const y = slotsOf(b)
    const z = slotsOf(c)
    const isSlotInConflict = (slot: number) => differ(x[slot], y[slot], z[slot])
    return [
      ...[...fields, ...settingSlots.filter((_name, slot) => isSlotInConflict(slot))].map(
        name => `field ${a.id} ${name}`,
      ),
      ...(x.some((_value, slot) => slot >= settingSlots.length && isSlotInConflict(slot)) ? [`text ${a.id} `] : []),
      ...(differ(placeOf(a), placeOf(b), placeOf(c)) ? [`move ${a.id} `] : []),
    ]
  })
}

function fileValues({ base, main, changeRequest }: Histories): string[] {
  return [...base.files.values()].flatMap(a => {
    const b = main.files.get(a.id)
    const c = changeRequest.files.get(a.id)
    const isChanged = (side: typeof a | undefined) => side && (side.name !== a.name || side.hash !== a.hash)
    if (!b || !c) return isChanged(b) || isChanged(c) ? [`deleted ${a.id} `] : []
    return [
      ...(differ(a.name, b.name, c.name) ? [`field ${a.id} name`] : []),
      ...(differ(a.hash, b.hash, c.hash) ? [`field ${a.id} content`] : []),
    ]
  })
}

function variableValues({ base, main, changeRequest }: Histories): string[] {
  const names = new Set([base, main, changeRequest].flatMap(({ variables }) => Object.keys(variables)))
  return [...names].flatMap(name => {
    const a = base.variables[name]
    const b = main.variables[name]
    const c = changeRequest.variables[name]
    if (!differ(a, b, c)) return []
    return [`${b === undefined || c === undefined ? 'deleted' : 'field'} ${name} `]
  })
}

/** A side deleted a page that the other changed, or put a page below. */
function hasDeletion({ base, main, changeRequest }: Histories): boolean {
  const isHit = (deleting: Content, other: Content) =>
    [...other.pages.values()].some(record => {
      const old = base.pages.get(record.id)
      const isGone = (id: string | null) => id !== null && base.pages.has(id) && !deleting.pages.has(id)
      const isChanged = old && partsOf(old).join('|') !== partsOf(record).join('|')
      const isPut = old?.parent !== record.parent
      return (isGone(record.id) && isChanged) || (isPut && isGone(record.parent))
    })
  return isHit(main, changeRequest) || isHit(changeRequest, main)
}

/** The parent that each page gets when every change of a place is made. */
function parents({ base, main, changeRequest }: Histories): Map<string, string | null> {
  const ids = new Set([...main.pages.keys(), ...changeRequest.pages.keys()])
  const isKept = (id: string) => !base.pages.has(id) || (main.pages.has(id) && changeRequest.pages.has(id))
  const parentIn = (content: Content, id: string) => content.pages.get(id)?.parent
  return new Map(
    [...ids].filter(isKept).map(id => {
      const [a, b, c] = [base, main, changeRequest].map(content => parentIn(content, id))
      return [id, (base.pages.has(id) ? either(a, b, c) : b === undefined ? c : b) as string | null]
    }),
  )
}

function hasCycle(all: Histories): boolean {
  const above = parents(all)
  return [...above.keys()].some(id => {
    let at: string | null | undefined = id
    for (let steps = 0; at !== null && at !== undefined; steps += 1) {
      if (steps > above.size) return true
      at = above.get(at)
    }
    return false
  })
}

function hasSamePath(all: Histories): boolean {
  const above = parents(all)
  const merged = (id: string, name: 'slug' | 'file') => {
    const [a, b, c] = [all.base, all.main, all.changeRequest].map(content => content.pages.get(id)?.[name])
    return all.base.pages.has(id) ? either(a, b, c) : (b ?? c)
  }
  const slugs = [...above].flatMap(([id, parent]) => {
    const slug = merged(id, 'slug')
    return slug === undefined ? [] : [`${parent} ${slug}`]
  })
  // A conflict keeps a file that one side deleted and the other changed.
  const inConflict = new Set(fileValues(all))
  const isKept = (id: string) =>
    !all.base.files.has(id) ||
    (all.main.files.has(id) && all.changeRequest.files.has(id)) ||
    inConflict.has(`deleted ${id} `)
  const files = [...new Map([...all.main.files, ...all.changeRequest.files]).values()].filter(({ id }) => isKept(id))
  const paths = [...[...above.keys()].map(id => merged(id, 'file')), ...files.map(record => record.file)]
  const definedPaths = paths.filter(path => path !== undefined)
  return new Set(slugs).size < slugs.length || new Set(definedPaths).size < definedPaths.length
}

/** The faults of content that is not well-formed. */
export function faultsOf(content: Content): string[] {
  const pages = [...content.pages.values()]
  const tree = treeOf(content)
  const isParent = (id: string) => ['document', 'group'].includes(content.pages.get(id)?.type ?? '')
  const twice = (keys: (string | undefined)[]) =>
    keys.filter((key, at) => key !== undefined && keys.indexOf(key) !== at)
  const slugs = pages.map(({ parent, slug }) => (slug === undefined ? undefined : `${parent}/${slug}`))
  const files = [...pages, ...content.files.values()].map(record => (record.git?.path ?? record.file)?.toLowerCase())
  return [
    ...pages.filter(({ parent }) => parent !== null && !isParent(parent)).map(({ id }) => `${id} has no parent`),
    ...pages
      .filter(({ type, parent }) => type === 'group' && parent !== null)
      .map(({ id }) => `group ${id} is not at the root`),
    // The tree shows a page of a cycle at the root.
    ...tree.roots.filter(({ parent }) => parent !== null).map(({ id }) => `${id} is in a cycle`),
    ...twice(slugs).map(slug => `slug ${slug} twice`),
    ...twice(files).map(path => `file ${path} twice`),
    ...pages.filter(record => !agrees(record)).map(({ id }) => `${id} has other settings than its text`),
  ]
}

function agrees(record: PageRecord): boolean {
  const text = texts.get(record.document ?? '')
  return text === undefined || withText(record, text).description === record.description
}
