import type { Customization } from './customization.rules.ts'

/** Where a link of a site leads. */
export type Target = Customization['footer']['groups'][number]['links'][number]['to']

type Unpublished = Extract<Target, { kind: 'user' | 'collection' | 'reusable-content' | 'tag' | 'openapi' }>

/** The target of a link that visitors do not see, since it is no part of a site, and the field that has it. */
export interface UnpublishedTarget {
  field: string
  to: Unpublished
}

const unpublished: readonly Target['kind'][] = ['user', 'collection', 'reusable-content', 'tag', 'openapi']

/** Whether a target is no part of a site. */
export function isUnpublished(to: Target): to is Unpublished {
  return unpublished.includes(to.kind)
}

/** The targets in settings that are no part of a site, and that other settings do not have. */
export function newUnpublishedTargets(settings: unknown, before: unknown): UnpublishedTarget[] {
  const all = (value: unknown) => {
    const targets: UnpublishedTarget[] = []
    walk(value, { field: 'body', conditions: [] }, (to, { field }) => {
      if (isUnpublished(to)) targets.push({ field, to })
    })
    return targets
  }
  const keysBefore = new Set(all(before).map(({ to }) => JSON.stringify(to)))
  return all(settings).filter(({ to }) => !keysBefore.has(JSON.stringify(to)))
}

/** The target of a site's link in the content of a space, and the field that has it. */
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
  const targets: NamedTarget[] = []
  walk(settings, { field: 'body', conditions: [] }, (to, { field }) => {
    const target = contentTargetOf(to, here)
    if (target) targets.push({ field, ...target })
  })
  return targets
}

/** The target of a link in the content of a space, as `targetsIn`; undefined for one that leads elsewhere. */
export function contentTargetOf(to: Target, here: string | undefined): Omit<NamedTarget, 'field'> | undefined {
  if (to.kind === 'space') return { space: to.space }
  if (to.kind === 'file') return { space: here, target: { kind: 'file', id: to.file } }
  const leadsToPage = to.kind === 'page' || to.kind === 'anchor'
  if (!leadsToPage || (to.page === undefined && to.space === undefined)) return undefined
  return { space: to.space ?? here, target: to.page === undefined ? undefined : { kind: 'page', id: to.page } }
}

/** Settings without the links that lead to nothing seen, and without menus, groups of links and announcements' links that have no others. */
export function withoutUnseenLinks<Settings extends object>(
  settings: Settings,
  isSeen: (to: Target) => boolean,
): Settings {
  return seenPart(settings, isSeen) as Settings
}

function seenPart(value: unknown, isSeen: (to: Target) => boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const seen = seenPart(item, isSeen)
      return countTargets(item) > 0 && countTargets(seen) === 0 ? [] : [seen]
    })
  }
  const entries = Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] => {
    if (key === 'to') return [[key, inner !== null && isSeen(inner as Target) ? inner : null]]
    if (key === 'primaryLink') return isSeen(inner as Target) ? [[key, inner]] : []
    const seen = seenPart(inner, isSeen)
    return isLink(inner) && countTargets(seen) === 0 ? [] : [[key, seen]]
  })
  return Object.fromEntries(entries)
}

/** How many targets a link, a menu or a group of links has. */
function countTargets(value: unknown): number {
  const { to, links } = (value ?? {}) as { to?: Target | null; links?: readonly unknown[] }
  return (to ? 1 : 0) + (Array.isArray(links) ? links.length : 0)
}

function isLink(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'to' in value && countTargets(value) > 0
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
  const keysBefore = new Set(before.map(keyOf))
  return targets.filter(target => !keysBefore.has(keyOf(target)))
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
    if ((key === 'to' || key === 'primaryLink') && inner !== null && inner !== undefined) visit(inner as Target, place)
    else walk(inner, place, visit)
  }
}
