import { query, type Db } from '@recto/database'
import type { Level } from './access.policy.ts'

/** All that is set on a space or collection and on the collections above it, the nearest first. */
export async function levelsOf(
  db: Db,
  { object, id }: { object: 'space' | 'collection'; id: string },
): Promise<Level[]> {
  const granted = (subject: string) => `coalesce((select json_object_agg(subject_id, role) from grants
    where grants.object = up.object and grants.object_id = up.id and grants.subject = '${subject}'), '{}') as "${subject}s"`
  return query<Level>(
    db,
    `with recursive up as (
       select '${object}'::text as object, id, parent, default_level, 0 as height from ${object}s where id = $1
       union all select 'collection', c.id, c.parent, c.default_level, up.height + 1 from up join collections c on c.id = up.parent
     )
     select default_level as "defaultLevel", ${granted('user')}, ${granted('team')} from up order by height`,
    [id],
  )
}
