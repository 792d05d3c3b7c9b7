import type { Customization } from '../api/types.ts'

type Action = Customization['pageActions']['items'][number]

/** A link that a page offers, or a button that copies what is at the address. */
export interface ActionLink {
  href: string
  text: string
  isCopied?: boolean
}

/** The links of a page for the actions of its site, in the order of these. Actions that the page does not have are left out. */
export function pageActions(
  items: readonly Action[],
  links: Partial<Record<Action, readonly ActionLink[]>>,
): ActionLink[] {
  return items.flatMap(item => links[item] ?? [])
}
