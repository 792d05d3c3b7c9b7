import { type Conflict, type MergeInput, nameOf, subjectNames } from './conflict.ts'

const kinds = ['deleted', 'move', 'path', 'field', 'text']

/**
 * Conflicts in a stable order: of pages as main content has them in its tree, then of those that only the change request has, in its tree; of
 * files, reusable contents, variables and the configuration by id or name.
 */
export function inOrder(conflicts: Conflict[], { pages: { main, changeRequest } }: MergeInput): Conflict[] {
  if (conflicts.length < 2) return conflicts
  const positions = new Map([...changeRequest.inOrder(), ...main.inOrder()].map(({ id }, at) => [id, at]))
  const ofMain = changeRequest.size
  const keyOf = (conflict: Conflict): (number | string)[] => {
    const { page, kind, field } = conflict
    const subject = nameOf(conflict) ?? 'page'
    const at = positions.get(page ?? '') ?? 0
    const place = page === undefined ? 0 : main.get(page) ? at - ofMain : at + main.size
    return [subjectNames.indexOf(subject), place, conflict[subject] ?? '', kinds.indexOf(kind), field ?? '']
  }
  return conflicts
    .map(conflict => ({ conflict, key: keyOf(conflict) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ conflict }) => conflict)
}

function compare(a: (number | string)[], b: (number | string)[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}
