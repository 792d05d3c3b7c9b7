import type { RepositoryConfiguration } from '../revisions/revision.entity.ts'
import type { ConflictKind, Subject, Variables } from './conflict.ts'
import type { Decisions } from './decisions.ts'
import { conflictOf } from './merge-record.rules.ts'
import { mapSides, mergedSide, type Sides } from './three-way.ts'

/** Merges variables, each on its own. */
export function mergeVariables(sides: Record<keyof Sides<unknown>, Variables>, decisions: Decisions): Variables {
  return mergeValues(sides, { subjectOf: variable => ({ variable }), decisions })
}

type Configuration = RepositoryConfiguration | null

/** Merges how the repository is laid out: each key on its own, and each redirect. */
export function mergeConfiguration(
  sides: Record<keyof Sides<unknown>, Configuration>,
  decisions: Decisions,
): Configuration {
  const { base, main, changeRequest } = sides
  const whole = mergedSide(sides)
  if (whole) return sides[whole]
  if (!main || !changeRequest)
    return sides[decisions.side(conflictOf({ kind: 'field', configuration: 'all' }, { base, main, changeRequest }))]
  const all: Record<keyof Sides<unknown>, Partial<RepositoryConfiguration>> = { base: base ?? {}, main, changeRequest }
  const flat = { base: flatten(all.base), main: flatten(all.main), changeRequest: flatten(all.changeRequest) }
  const merged = mergeValues(flat, { subjectOf: configuration => ({ configuration }), decisions })
  return unflatten(merged, main)
}

const redirectPrefix = 'redirects.'

function flatten({ redirects = {}, ...rest }: Partial<RepositoryConfiguration>): Record<string, string> {
  const named = Object.entries(redirects).map(([source, target]) => [redirectPrefix + source, target])
  return { ...rest, ...Object.fromEntries(named) }
}

function unflatten(values: Record<string, string>, main: RepositoryConfiguration): RepositoryConfiguration {
  const isRedirect = ([key]: [string, string]) => key.startsWith(redirectPrefix)
  const entries = Object.entries(values)
  const redirects = entries.filter(isRedirect).map(([key, target]) => [key.slice(redirectPrefix.length), target])
  const rest = entries.filter(entry => !isRedirect(entry))
  return { ...main, ...Object.fromEntries(rest), redirects: Object.fromEntries(redirects) }
}

interface ValueMerge {
  subjectOf(name: string): Subject
  decisions: Decisions
}

function mergeValues<Value>(
  sides: Record<keyof Sides<unknown>, Record<string, Value>>,
  { subjectOf, decisions }: ValueMerge,
): Record<string, Value> {
  const names = new Set(Object.values(sides).flatMap(values => Object.keys(values)))
  const merged = Array.from(names).map((name): [string, Value | undefined] => {
    const values = mapSides(sides, all => (Object.hasOwn(all, name) ? all[name] : undefined))
    const kind: ConflictKind = values.main === undefined || values.changeRequest === undefined ? 'deleted' : 'field'
    const side = mergedSide(values) ?? decisions.side(conflictOf({ kind, ...subjectOf(name) }, values))
    return [name, values[side]]
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as Record<string, Value>
}
