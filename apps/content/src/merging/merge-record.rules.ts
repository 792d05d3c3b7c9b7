import type { Conflict, Subject } from './conflict.ts'
import type { Decisions } from './decisions.ts'
import { isSame, mapSides, mergedSide, type Side, type Sides } from './three-way.ts'

/** A record that is merged, and how its conflicts are decided. */
export interface RecordMerge {
  subject: Subject
  decisions: Decisions
}

/** A conflict with the values of the sides that have one. */
export function conflictOf(
  what: Omit<Conflict, keyof Sides<unknown>>,
  { base, main, changeRequest }: Sides<unknown>,
): Conflict {
  const sides = Object.entries({ base, main, changeRequest }).filter(([, value]) => value !== undefined)
  return { ...what, ...Object.fromEntries(sides) }
}

/**
 * The record of one side, where that is the merged one: only that side changed it, or it is deleted. Undefined when both sides have changed
 * the record, which is then merged by field.
 */
export function wholeRecord<Row>(
  sides: Sides<Row>,
  { subject, decisions, isEdited }: RecordMerge & { isEdited(before: Row, after: Row): boolean },
): { record: Row | undefined; isDecided: boolean } | undefined {
  const whole = mergedSide(sides)
  if (whole) return { record: sides[whole], isDecided: false }
  if (sides.main && sides.changeRequest) return undefined
  const keeper: Side = sides.main ? 'main' : 'changeRequest'
  const kept = sides[keeper]
  if (sides.base && kept && !isEdited(sides.base, kept)) return { record: undefined, isDecided: false }
  const side = decisions.side(conflictOf({ kind: 'deleted', ...subject }, sides), keeper)
  return { record: sides[side], isDecided: true }
}

/** The merged fields of a record, each on its own; a field in conflict has the value of the side that is taken. */
export function mergeFields<Row extends object>(
  sides: Sides<Row>,
  names: Iterable<string>,
  { subject, decisions }: RecordMerge,
): Partial<Row> {
  const fields = Array.from(names, (name): [string, unknown] => {
    const values = mapSides(sides, row => (row as Record<string, unknown>)[name])
    const side = mergedSide(values) ?? decisions.side(conflictOf({ kind: 'field', ...subject, field: name }, values))
    return [name, values[side]]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Partial<Row>
}

/** The names of the fields that the record has on any side, but for some. */
export function fieldNames(sides: Sides<object>, except: readonly string[]): Set<string> {
  const names = new Set([sides.base, sides.main, sides.changeRequest].flatMap(row => Object.keys(row ?? {})))
  for (const name of except) names.delete(name)
  return names
}

/** Some fields of a record, without those that it lacks. */
export function fieldsOf<Row extends object>(row: Row, names: readonly (keyof Row)[]): Partial<Row> {
  const fields = names.filter(name => row[name] !== undefined).map(name => [name, row[name]])
  return Object.fromEntries(fields) as Partial<Row>
}

/** A record that has a path in the repository. */
export interface LocatedRecord {
  git?: { path: string; oid: string }
  file?: string
}

const pathIn = ({ git, file }: LocatedRecord) => git?.path ?? file

/** Whether a record has another content or path; times, and the object of the repository that it is, say nothing about that. */
export function isEditedRecord<Row extends LocatedRecord>(before: Row, after: Row): boolean {
  const content = (row: Row) => ({
    ...row,
    git: undefined,
    file: pathIn(row),
    createdAt: undefined,
    updatedAt: undefined,
  })
  return !isSame(content(before), content(after))
}

/** Where the merged record is in the repository: as an object of it only when the content is that of the object. */
export function mergeLocation<Row extends LocatedRecord>(
  sides: Sides<Row>,
  { hash, hashOf, ...merge }: RecordMerge & { hash: string | undefined; hashOf(row: Row): string | undefined },
): LocatedRecord {
  const { file: path } = mergeFields(
    mapSides(sides, row => ({ file: pathIn(row) })),
    ['file'],
    merge,
  )
  if (path === undefined) return {}
  const object = [sides.main, sides.changeRequest, sides.base].find(
    row => row?.git?.path === path && hashOf(row) === hash,
  )
  return object?.git ? { git: object.git } : { file: path }
}
