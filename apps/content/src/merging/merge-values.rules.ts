import type { SpaceTag } from '@recto/markdown'
import type { RepositoryConfiguration } from '../revisions/revision.entity.ts'
import { type Choices, sideOf } from './choices.ts'
import type { ConflictKind, DetectedConflict, Subject, Variables } from './conflict.ts'
import { conflictOf } from './merge-record.rules.ts'
import { mapSides, mergedSide, type Sides } from './three-way.ts'

/** A value of each side that is never absent. */
type AllSides<Value> = Record<keyof Sides<unknown>, Value>
type Configuration = RepositoryConfiguration | null

const subjectOfVariable = (variable: string) => ({ variable })
const subjectOfKey = (configuration: string) => ({ configuration })
const wholeConfiguration = { configuration: 'all' }

/** The conflicts of variables, each on its own. */
export function variableConflicts(sides: AllSides<Variables>): DetectedConflict[] {
  return valueConflicts(sides, subjectOfVariable)
}

/** The merged variables. */
export function mergeVariables(sides: AllSides<Variables>, choices: Choices): Variables {
  return mergeValues(sides, { subjectOf: subjectOfVariable, choices })
}

/** The conflicts of how the repository is laid out: of each key on its own, and of each redirect and tag. */
export function configurationConflicts(sides: AllSides<Configuration>): DetectedConflict[] {
  if (mergedSide(sides)) return []
  const flat = flattenAll(sides)
  if (!flat) return [conflictOf({ kind: 'field', ...wholeConfiguration }, sides)]
  return valueConflicts(flat, subjectOfKey)
}

/** The merged configuration of the repository. */
export function mergeConfiguration(sides: AllSides<Configuration>, choices: Choices): Configuration {
  const { main } = sides
  const whole = mergedSide(sides)
  if (whole) return sides[whole]
  const flat = flattenAll(sides)
  if (!flat || !main) return sides[sideOf(choices, wholeConfiguration)]
  return unflatten(mergeValues(flat, { subjectOf: subjectOfKey, choices }), main)
}

/** The configurations with a key for each redirect and tag; undefined when a side has none. */
function flattenAll({ base, main, changeRequest }: AllSides<Configuration>) {
  if (!main || !changeRequest) return undefined
  return { base: flatten(base ?? {}), main: flatten(main), changeRequest: flatten(changeRequest) }
}

const redirectPrefix = 'redirects.'
const tagPrefix = 'tags.'
type FlatValue = string | SpaceTag

function flatten({ redirects = {}, tags = [], ...rest }: Partial<RepositoryConfiguration>): Record<string, FlatValue> {
  const redirectEntries = Object.entries(redirects).map(([source, target]) => [redirectPrefix + source, target])
  const tagEntries = tags.map(tag => [tagPrefix + tag.slug, tag])
  return { ...rest, ...(Object.fromEntries([...redirectEntries, ...tagEntries]) as Record<string, FlatValue>) }
}

function unflatten(values: Record<string, FlatValue>, main: RepositoryConfiguration): RepositoryConfiguration {
  const entries = Object.entries(values)
  const below = (prefix: string) => entries.filter(([key]) => key.startsWith(prefix))
  const redirects = below(redirectPrefix).map(([key, target]) => [key.slice(redirectPrefix.length), target])
  const tags = below(tagPrefix).map(([, tag]) => tag as SpaceTag)
  const rest = entries.filter(([key]) => !key.startsWith(redirectPrefix) && !key.startsWith(tagPrefix))
  const merged = { ...main, ...Object.fromEntries(rest), redirects: Object.fromEntries(redirects) }
  return main.tags || tags.length > 0 ? { ...merged, tags } : merged
}

function valueConflicts(
  sides: AllSides<Record<string, unknown>>,
  subjectOf: (name: string) => Subject,
): DetectedConflict[] {
  return namesIn(sides)
    .map(name => ({ name, values: valueOn(sides, name) }))
    .filter(({ values }) => mergedSide(values) === undefined)
    .map(({ name, values }) => {
      const kind: ConflictKind = values.main === undefined || values.changeRequest === undefined ? 'deleted' : 'field'
      return conflictOf({ kind, ...subjectOf(name) }, values)
    })
}

function mergeValues<Value>(
  sides: AllSides<Record<string, Value>>,
  { subjectOf, choices }: { subjectOf(name: string): Subject; choices: Choices },
): Record<string, Value> {
  const merged = namesIn(sides).map((name): [string, Value | undefined] => {
    const values = valueOn(sides, name)
    return [name, values[mergedSide(values) ?? sideOf(choices, subjectOf(name))]]
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as Record<string, Value>
}

function namesIn(sides: AllSides<Record<string, unknown>>): string[] {
  return Array.from(new Set(Object.values(sides).flatMap(values => Object.keys(values))))
}

function valueOn<Value>(sides: AllSides<Record<string, Value>>, name: string): Sides<Value> {
  return mapSides(sides, values => (Object.hasOwn(values, name) ? values[name] : undefined))
}
