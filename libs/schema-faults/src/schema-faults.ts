import type { z } from 'zod'
import {
  acceptsNull,
  alternatives,
  branches,
  formatName,
  keySchema,
  oneOf,
  schemaAt,
  describeValue,
  typeName,
  type Schema,
} from './describe-schema.ts'

/** One thing that is wrong with an input. */
export interface SchemaFault {
  /** The keys joined by dots: `body.tags.0`. */
  path: string
  keys: PropertyKey[]
  /** Continues the path: `must be a string`. */
  message: string
}

/** The result of parsing: the schema's output, or every fault. */
export type Parsed<T> = { success: true; data: T } | { success: false; faults: SchemaFault[] }

type Issue = z.core.$ZodIssue
type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

/** Where an issue is: its schema, as far as that is known, and its keys from the top of the input. */
interface Place {
  schema: Schema | undefined
  keys: PropertyKey[]
}

/** Leaves every message empty that the schema does not set itself, and keeps the input with each issue. */
const parseOptions = { error: () => '', reportInput: true }

/**
 * Parses a value with a schema and describes every fault in plain words; never throws for a value. `keys` says where the
 * value is in the caller's input, and precedes the path of each fault.
 */
export function parseWithFaults<T extends z.ZodType>(
  schema: T,
  value: unknown,
  keys: PropertyKey[] = [],
): Parsed<z.output<T>> {
  const result = schema.safeParse(value, parseOptions)
  if (result.success) return { success: true, data: result.data }
  return { success: false, faults: faultsOf(result.error.issues, { schema, keys }) }
}

function faultsOf(issues: Issue[], place: Place): SchemaFault[] {
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => joined(path)))
  return issues
    .filter(issue => !isSize(issue) || !mistyped.has(joined(issue.path)))
    .flatMap(issue => faultsOfIssue(issue, place))
}

function faultsOfIssue(issue: Issue, { schema, keys }: Place): SchemaFault[] {
  const place = { schema: schemaAt(schema, issue.path), keys: [...keys, ...issue.path] }
  if (issue.message !== '') return [faultAt(place, issue.message)]
  if (issue.code === 'invalid_key') {
    const ofKeys = keySchema(schemaAt(schema, issue.path.slice(0, -1)))
    return faultsOf(issue.issues, { ...place, schema: ofKeys }).map(fault => ({
      ...fault,
      message: `its key ${fault.message}`,
    }))
  }
  const best = issue.code === 'invalid_union' ? bestBranch(issue) : undefined
  if (best) return faultsOf(best.issues, { ...place, schema: branches(place.schema)[best.index] })
  return [faultAt(place, explained(issue, place.schema))]
}

function faultAt({ keys }: Place, message: string): SchemaFault {
  return { path: joined(keys), keys, message }
}

function explained(issue: Issue, schema: Schema | undefined): string {
  if (isMissing(issue)) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'never' ? 'must be left out' : mustBe([typeName(issue.expected)], schema)
    case 'invalid_value':
      return mustBe(issue.values.map(describeValue), schema)
    case 'invalid_union':
      return unionMessage(issue, schema)
    case 'invalid_format':
      return issue.format === 'regex' ? `must match ${issue.pattern}` : `must be ${formatName(issue.format)}`
    case 'too_big':
      return sized(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue)
    case 'too_small':
      return sized(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.map(describeValue).join(', ')}`
    default:
      return 'is not valid'
  }
}

function mustBe(phrases: string[], schema: Schema | undefined): string {
  return `must be ${oneOf(acceptsNull(schema) && !phrases.includes('null') ? [...phrases, 'null'] : phrases)}`
}

function unionMessage(issue: UnionIssue, schema: Schema | undefined): string {
  if ('options' in issue && issue.options) return `must be ${oneOf(issue.options.map(describeValue))}`
  return schema ? `must be ${oneOf(alternatives(schema))}` : 'has none of the forms that are allowed'
}

const units: Record<string, string> = { string: 'character', array: 'item' }

function sized(bound: string, limit: number | bigint, { origin, exact }: { origin: string; exact?: boolean }): string {
  const unit = units[origin]
  const how = exact ? 'exactly' : bound
  return unit ? `must have ${how} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}` : `must be ${how} ${limit}`
}

/** The branch of a union that the value was meant for: the type and the literals fit, and fewer fields are missing than in any other. */
function bestBranch({ errors }: UnionIssue): { index: number; issues: Issue[] } | undefined {
  const [best, next] = errors
    .map((issues, index) => ({ index, issues, missing: issues.filter(isMissing).length }))
    .filter(({ issues }) => !issues.some(isOfOtherKind))
    .sort((one, other) => one.missing - other.missing)
  return best && (!next || best.missing < next.missing) ? best : undefined
}

/** Whether an issue says that the value has another type, or that a literal in it names another kind. */
function isOfOtherKind(issue: Issue): boolean {
  if (issue.path.length === 0) return ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)
  return issue.path.length === 1 && issue.code === 'invalid_value' && issue.values.length === 1 && !isMissing(issue)
}

function isMissing({ code, input }: Issue): boolean {
  return input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(code)
}

/** zod measures a string in place of an array too: of a value of the wrong type only the type is reported. */
function isSize({ code }: Issue): boolean {
  return code === 'too_big' || code === 'too_small'
}

function joined(keys: PropertyKey[]): string {
  return keys.map(String).join('.')
}
