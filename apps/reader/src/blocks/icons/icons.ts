import type { IconDefinition } from '@fortawesome/fontawesome-common-types'
import { fab } from '@fortawesome/free-brands-svg-icons'
import { far } from '@fortawesome/free-regular-svg-icons'
import { fas } from '@fortawesome/free-solid-svg-icons'

/** A picture of one colour: the size of its view, and its path. */
export interface IconShape {
  width: number
  height: number
  path: string
}

const byName = new Map<string, IconDefinition>()
for (const icon of [fas, far, fab].flatMap(pack => Object.values(pack))) {
  const aliases = icon.icon[2].filter(alias => typeof alias === 'string')
  for (const name of [icon.iconName, ...aliases]) if (!byName.has(name)) byName.set(name, icon)
}

/** The icon of a name of Font Awesome, with or without its prefix; undefined when there is none. */
export function iconShape(name: string | undefined): IconShape | undefined {
  const icon = byName.get((name ?? '').trim().replace(/^(?:fa-(?:solid|regular|brands)\s+)?fa-/, ''))
  if (!icon) return undefined
  const [width, height, , , path] = icon.icon
  return { width, height, path: typeof path === 'string' ? path : path.join(' ') }
}
