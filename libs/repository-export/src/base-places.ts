import { joinInside } from '@recto/repository-format'
import { recordsOf, type ContentState, type ExportRecord } from './export-content.ts'

/** The place of a record in the base: `oid` is what content had, `committedOid` what the commit has where that differs. */
export type BasePlace = { path: string } & Pick<ExportRecord, 'oid' | 'committedOid'>

/** The places of the records of a base, by their ids. */
export function basePlaces(
  state: ContentState,
  { root, oidOf }: { root: string; oidOf(record: ExportRecord): string | undefined },
): Map<string, BasePlace> {
  return new Map(
    recordsOf(state).flatMap(record => {
      const path = joinInside(root, record.path)
      const { committedOid } = record
      return path === undefined ? [] : [[record.id, { path, oid: oidOf(record), committedOid }] as const]
    }),
  )
}
