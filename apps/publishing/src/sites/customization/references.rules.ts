import type { Customization } from './customization.rules.ts'

type Target = Customization['footer']['groups'][number]['links'][number]['to']

/** What a link of a site leads to in the content of a space, and the field that says so. */
export interface NamedTarget {
  field: string
  space: string | undefined
  /** Left out where the link leads to the space as a whole. */
  target?: { kind: 'page' | 'file'; id: string } | undefined
}

/**
 * The spaces, pages and files that links in settings lead to. A link that names no space leads into `here`: the space whose settings
 * these are, or the default space of the site.
 */
export function targetsIn(settings: unknown, { here }: { here: string | undefined }): NamedTarget[] {
  const found: NamedTarget[] = []
  walk(settings, { field: 'body', conditions: [] }, (target, { field: at }) => {
    if (target.kind === 'space') found.push({ field: at, space: target.space })
    if (target.kind === 'file') found.push({ field: at, space: here, target: { kind: 'file', id: target.file } })
    const leadsToPage = target.kind === 'page' || target.kind === 'anchor'
    if (leadsToPage && (target.page !== undefined || target.space !== undefined))
      found.push({
        ...{ field: at, space: target.space ?? here },
        target: target.page === undefined ? undefined : { kind: 'page', id: target.page },
      })
  })
  return found
}

/** A file of a space that settings link to, with the conditions of the link. */
export interface LinkedFile {
  space: string
  file: string
  conditions: string[]
}

/** The files that links in settings lead to; they are in the space `here`, whose settings these are. */
export function linkedFiles(settings: unknown, here: string): LinkedFile[] {
  const files: LinkedFile[] = []
  walk(settings, { field: 'body', conditions: [] }, ({ kind, ...target }, { conditions }) => {
    if (kind === 'file' && 'file' in target) files.push({ space: here, file: target.file, conditions })
  })
  return files
}

/** The targets that the settings before did not have: what has gone since does not keep others from being changed. */
export function newTargets(targets: readonly NamedTarget[], before: readonly NamedTarget[]): NamedTarget[] {
  const known = new Set(before.map(keyOf))
  return targets.filter(target => !known.has(keyOf(target)))
}

const keyOf = ({ space, target }: NamedTarget) => JSON.stringify([space, target])

/** Where a link is in settings, with the conditions on it and on the menu that it is in. */
interface LinkPlace {
  field: string
  conditions: string[]
}

/** Visits the targets of all links. */
function walk(value: unknown, outer: LinkPlace, visit: (target: Target, place: LinkPlace) => void): void {
  if (typeof value !== 'object' || value === null) return
  const { condition } = value as { condition?: unknown }
  const conditions = typeof condition === 'string' ? [...outer.conditions, condition] : outer.conditions
  for (const [key, inner] of Object.entries(value)) {
    const place = { field: `${outer.field}.${key}`, conditions }
    if (key === 'to' && inner !== null) visit(inner as Target, place)
    else walk(inner, place, visit)
  }
}
