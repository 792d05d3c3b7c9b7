import type { Viewer } from '../access/access.policy.ts'
import { callerValues } from '../access/roles.sql.ts'
import type { ListRequest } from '@recto/database'
import { readableSpacesCte } from '../resources/readable-spaces.sql.ts'
import type { BaseContext } from '../shared/context.ts'
import { searchSpaces } from './run-search.ts'

/** Searches the spaces of an organization that a member or a guest can read. */
export function searchReadableSpaces(
  context: Pick<BaseContext, 'db' | 'publicUrl'>,
  viewer: Viewer,
  { text, ...request }: ListRequest & { text: string },
): ReturnType<typeof searchSpaces> {
  const cte = `${readableSpacesCte()}, searched as (select id, title, role from readable_space)`
  const spaces = { cte, values: callerValues(viewer) }
  return searchSpaces(context, { spaces: async () => spaces, text, request })
}
