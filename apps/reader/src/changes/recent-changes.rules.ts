import type { DocumentPage } from '../api/types.ts'
import { isInNavigation } from '../loaders/page-tree.rules.ts'
import type { ListedSpace } from '../markdown/listed-spaces.ts'

/** A page with the time of its last change. */
export interface ChangedPage {
  page: DocumentPage
  space: ListedSpace
  changedAt: Date
}

/** The pages of some spaces that changed last, the newest first; hidden pages, and those of which no change is recorded, are left out. */
export function recentChanges(spaces: readonly ListedSpace[], max: number): ChangedPage[] {
  return spaces
    .flatMap(space =>
      space.tree.documents
        .filter(isInNavigation)
        .flatMap(({ page }): ChangedPage[] =>
          page.updatedAt === undefined ? [] : [{ page, space, changedAt: new Date(page.updatedAt) }],
        ),
    )
    .toSorted((one, other) => other.changedAt.getTime() - one.changedAt.getTime())
    .slice(0, max)
}

/** Groups changes by their day in UTC (ISO 8601), in their order. */
export function changesByDay(changes: readonly ChangedPage[]): Map<string, ChangedPage[]> {
  const days = new Map<string, ChangedPage[]>()
  for (const change of changes) {
    const day = change.changedAt.toISOString().slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), change])
  }
  return days
}
