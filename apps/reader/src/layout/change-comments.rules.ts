import type { ChangeComment } from '../api/types.ts'

/** The comments of a change request as the list of its changes shows them. */
export interface CommentOverview {
  /** About all of it, or about a page that is gone. */
  general: ChangeComment[]
  /** Pages that are not in the list, with how many of their comments are open. */
  otherPages: { id: string; title: string; open: number }[]
  /** How many comments on each page are open, by the id of the page. */
  open: ReadonlyMap<string, number>
}

/** Divides comments for a list of changed pages. A comment on a page stands there, and the list leads to it. */
export function commentOverview(
  comments: readonly ChangeComment[],
  listedPages: ReadonlySet<string>,
  isPage: (id: string) => boolean,
): CommentOverview {
  const hasPlace = ({ page }: ChangeComment) => page !== undefined && (listedPages.has(page.id) || isPage(page.id))
  const onPages = comments.filter(hasPlace)
  const open = new Map<string, number>()
  for (const { page, status } of onPages)
    if (page) open.set(page.id, (open.get(page.id) ?? 0) + (status === 'open' ? 1 : 0))
  const titles = new Map(onPages.flatMap(({ page }) => (page ? [[page.id, page.title]] : [])))
  const otherPages = [...titles].filter(([id]) => !listedPages.has(id))
  return {
    general: comments.filter(comment => !hasPlace(comment)),
    otherPages: otherPages.map(([id, title]) => ({ id, title, open: open.get(id) ?? 0 })),
    open,
  }
}
