import type { NewDocument } from '../content-store/new-document.ts'
import { type Choices, sideOfDeleted } from './choices.ts'
import type { Conflict, DetectedConflict, Subject } from './conflict.ts'
import { isSame, mapSides, mergedSide, type Side, type Sides } from './three-way.ts'

/** A merged record, undefined when it is deleted; and its text, when that is merged. */
export interface MergedRecord<Row> {
  record: Row | undefined
  document?: NewDocument | undefined
}

/** A conflict with the values of the sides that have one. */
export function conflictOf(
  subject: Omit<Conflict, keyof Sides<unknown>>,
  { base, main, changeRequest }: Sides<unknown>,
  settledBy: DetectedConflict['settledBy'] = 'side',
): DetectedConflict {
  const values = Object.entries({ base, main, changeRequest }).filter(([, value]) => value !== undefined)
  return { conflict: { ...subject, ...Object.fromEntries(values) }, settledBy }
}

/** Whether a record is merged by field: it exists on both sides, and both have changed it differently. */
export function isChangedByBoth<Row>(sides: Sides<Row>): boolean {
  return sides.main !== undefined && sides.changeRequest !== undefined && mergedSide(sides) === undefined
}

/** The side that has edited a record which the other side deleted; undefined without this conflict. */
export function sideEditingDeleted(sides: Sides<LocatedRecord>): Side | undefined {
  const { base, main, changeRequest } = sides
  if (mergedSide(sides) || (main && changeRequest)) return undefined
  const remaining = main ?? changeRequest
  if (base && remaining && !isEditedRecord(base, remaining)) return undefined
  return main ? 'main' : 'changeRequest'
}

/** The conflict of a record that one side deleted and the other edited. */
export function deletionConflicts(subject: Subject, sides: Sides<LocatedRecord>): DetectedConflict[] {
  return sideEditingDeleted(sides) ? [conflictOf({ kind: 'deleted', ...subject }, sides, 'side or text')] : []
}

/** The merged record, where that is the record of one side: at most one side changed it, or one deleted it. */
export function wholeRecord<Row extends LocatedRecord>(
  subject: Subject,
  sides: Sides<Row>,
  choices: Choices,
): Row | undefined {
  const editing = sideEditingDeleted(sides)
  const side = editing ? sideOfDeleted(choices, subject, editing) : mergedSide(sides)
  return side && sides[side]
}

/** The conflicts of the fields of a record, each on its own. */
export function fieldConflicts(subject: Subject, sides: Sides<object>, names: Iterable<string>): DetectedConflict[] {
  return Array.from(names, field => ({ field, values: fieldOn(sides, field) }))
    .filter(({ values }) => mergedSide(values) === undefined)
    .map(({ field, values }) => conflictOf({ kind: 'field', ...subject, field }, values))
}

/** The merged fields of a record, each on its own; a field in conflict has the value of `side`. */
export function mergeFields<Row extends object>(sides: Sides<Row>, names: Iterable<string>, side: Side): Partial<Row> {
  const fields = Array.from(names, (name): [string, unknown] => {
    const values = fieldOn(sides, name)
    return [name, values[mergedSide(values) ?? side]]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Partial<Row>
}

function fieldOn(sides: Sides<object>, name: string): Sides<unknown> {
  return mapSides(sides, row => (row as Record<string, unknown>)[name])
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

/** Whether a record has another content or path; its times and its object in the repository do not count. */
function isEditedRecord<Row extends LocatedRecord>(before: Row, after: Row): boolean {
  const content = (row: Row) => ({
    ...row,
    git: undefined,
    file: pathIn(row),
    createdAt: undefined,
    updatedAt: undefined,
  })
  return !isSame(content(before), content(after))
}

/** The conflict of the paths of a record in the repository. */
export function locationConflicts(subject: Subject, sides: Sides<LocatedRecord>): DetectedConflict[] {
  return fieldConflicts(subject, pathsOn(sides), ['file'])
}

/** The location of the merged record in the repository; it names an object only when the content is that of the object. */
export function mergeLocation<Row extends LocatedRecord>(
  sides: Sides<Row>,
  { side, hash, hashOf }: { side: Side; hash: string | undefined; hashOf(row: Row): string | undefined },
): LocatedRecord {
  const { file: path } = mergeFields(pathsOn(sides), ['file'], side)
  if (path === undefined) return {}
  const object = [sides.main, sides.changeRequest, sides.base].find(
    row => row?.git?.path === path && hashOf(row) === hash,
  )
  return object?.git ? { git: object.git } : { file: path }
}

function pathsOn(sides: Sides<LocatedRecord>): Sides<{ file: string | undefined }> {
  return mapSides(sides, row => ({ file: pathIn(row) }))
}
