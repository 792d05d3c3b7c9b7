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
  walk(settings, 'body', (target, at) => {
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

/** The targets that the settings before did not have: what has gone since does not keep others from being changed. */
export function newTargets(targets: readonly NamedTarget[], before: readonly NamedTarget[]): NamedTarget[] {
  const known = new Set(before.map(keyOf))
  return targets.filter(target => !known.has(keyOf(target)))
}

const keyOf = ({ space, target }: NamedTarget) => JSON.stringify([space, target])

function walk(value: unknown, field: string, visit: (target: Target, field: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const at = `${field}.${key}`
    if (key === 'to' && inner !== null) visit(inner as Target, at)
    else walk(inner, at, visit)
  }
}
