import type { Customization } from '../api/types.ts'

type Action = Customization['pageActions']['items'][number]

/** A link that a page offers; it leads nowhere where the page has none. */
interface ActionLink<Text extends string> {
  href: string | undefined
  text: Text
}

/** The links of a page among the actions of its site, in the order of these. Actions that the reader does not have are left out. */
export function pageActions<Text extends string>(
  items: readonly Action[],
  links: Partial<Record<Action, ActionLink<Text>>>,
): { href: string; text: Text }[] {
  return items.flatMap(item => {
    const { href, text } = links[item] ?? {}
    return href === undefined || text === undefined ? [] : [{ href, text }]
  })
}
