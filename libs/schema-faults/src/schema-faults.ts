import type { FaultDetail } from '@recto/operation'
import type { z } from 'zod'
import {
  alternatives,
  branches,
  formatName,
  keySchema,
  oneOf,
  schemaAt,
  shown,
  takesNull,
  typeName,
  type Schema,
} from './allowed.ts'

type Issue = z.core.$ZodIssue
type Unmatched = Extract<Issue, { code: 'invalid_union' }>

/** Where an issue is: the schema it is about, as far as that is known, and its path from the top of the input. */
interface Place {
  schema: Schema | undefined
  path: PropertyKey[]
}

/** How input is parsed for `faultsOf`: a message that no row has set is empty, and every issue holds its input. */
export const silently = { error: () => '', reportInput: true }

/** What issues mean to a caller, as messages that continue their path; those that a row has set stay. */
export function faultsOf(issues: Issue[], place: Place): FaultDetail[] {
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(pathOf))
  return issues
    .filter(issue => !isSize(issue) || !mistyped.has(pathOf(issue)))
    .flatMap(issue => faultsOfOne(issue, place))
}

function faultsOfOne(issue: Issue, { schema, path }: Place): FaultDetail[] {
  const place = { schema: schemaAt(schema, issue.path), path: [...path, ...issue.path] }
  if (issue.message !== '') return [{ path: pathOf(place), message: issue.message }]
  if (issue.code === 'invalid_key') {
    const names = keySchema(schemaAt(schema, issue.path.slice(0, -1)))
    return faultsOf(issue.issues, { ...place, schema: names }).map(fault => ({
      ...fault,
      message: `its key ${fault.message}`,
    }))
  }
  const best = issue.code === 'invalid_union' ? bestBranch(issue) : undefined
  if (best) return faultsOf(best.issues, { ...place, schema: branches(place.schema)[best.index] })
  return [{ path: pathOf(place), message: explained(issue, place.schema) }]
}

function explained(issue: Issue, schema: Schema | undefined): string {
  if (isMissing(issue)) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'never' ? 'must be left out' : mustBe([typeName(issue.expected)], schema)
    case 'invalid_value':
      return mustBe(issue.values.map(shown), schema)
    case 'invalid_union':
      return unmatched(issue, schema)
    case 'invalid_format':
      return issue.format === 'regex' ? `must match ${issue.pattern}` : `must be ${formatName(issue.format)}`
    case 'too_big':
      return sized(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue)
    case 'too_small':
      return sized(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.map(shown).join(', ')}`
    default:
      return 'is not valid'
  }
}

function mustBe(phrases: string[], schema: Schema | undefined): string {
  return `must be ${oneOf(takesNull(schema) && !phrases.includes('null') ? [...phrases, 'null'] : phrases)}`
}

function unmatched(issue: Unmatched, schema: Schema | undefined): string {
  if ('options' in issue && issue.options) return `must be ${oneOf(issue.options.map(shown))}`
  return schema ? `must be ${oneOf(alternatives(schema))}` : 'has none of the forms that are allowed'
}

const units: Record<string, string> = { string: 'character', array: 'item' }

function sized(bound: string, limit: number | bigint, { origin, exact }: { origin: string; exact?: boolean }): string {
  const unit = units[origin]
  const how = exact ? 'exactly' : bound
  return unit ? `must have ${how} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}` : `must be ${how} ${limit}`
}

/** The branch of a union that the value was meant for: of the right type and kind, and lacking less than any other. */
function bestBranch({ errors }: Unmatched): { index: number; issues: Issue[] } | undefined {
  const [best, next] = errors
    .map((issues, index) => ({ index, issues, lacking: issues.filter(isMissing).length }))
    .filter(({ issues }) => !issues.some(isOfAnother))
    .sort((one, other) => one.lacking - other.lacking)
  return best && (!next || best.lacking < next.lacking) ? best : undefined
}

/** Whether an issue says that the value is of another type, or of another kind, as a literal in it tells. */
function isOfAnother(issue: Issue): boolean {
  if (issue.path.length === 0) return ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)
  return issue.path.length === 1 && issue.code === 'invalid_value' && issue.values.length === 1 && !isMissing(issue)
}

function isMissing({ code, input }: Issue): boolean {
  return input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(code)
}

/** A long text in place of a list is measured too, and its length is beside the point. */
function isSize({ code }: Issue): boolean {
  return code === 'too_big' || code === 'too_small'
}

function pathOf({ path }: { path: PropertyKey[] }): string {
  return path.map(String).join('.')
}
