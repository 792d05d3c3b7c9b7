import { booleanOf, withoutSchema } from './attributes.rules.ts'
import { comparisonOf, isValuePath, type Comparison, type Filter } from './filter.rules.ts'
import { scimFault } from './scim-fault.ts'

/** Adds a value to those of a statement, and returns its placeholder. */
export type Bind = (value: unknown) => string

/** The condition that a comparison of an attribute is. */
export type Condition = (comparison: Comparison, bind: Bind) => string

/** Attributes that filters may name, by their names in lower case. */
export interface FilterAttributes {
  compare: Readonly<Record<string, Condition>>
  /** Attributes with several complex values: the array of them, and what a value has. */
  values?: Readonly<Record<string, { sql: string; item: FilterAttributes }>>
}

/** The condition of a filter; throws `invalidFilter` for an attribute that cannot be filtered by, and a value of the wrong type. */
export function filterSql(filter: Filter, attributes: FilterAttributes, bind: Bind): string {
  if ('filters' in filter)
    return `(${filter.filters.map(one => filterSql(one, attributes, bind)).join(` ${filter.op} `)})`
  if ('filter' in filter) return `not coalesce(${filterSql(filter.filter, attributes, bind)}, false)`
  if (isValuePath(filter))
    return valuesSql(nameOf(filter.attrPath), attributes, one => filterSql(filter.valFilter, one, bind))
  const comparison = comparisonOf(filter)
  if (!comparison) throw scimFault('invalidFilter', 'The filter is not valid')
  return comparisonSql(comparison, attributes, bind)
}

function comparisonSql(comparison: Comparison, attributes: FilterAttributes, bind: Bind): string {
  const name = nameOf(comparison.attribute)
  const condition = ownOf(attributes.compare, name)
  if (condition) return condition(comparison, bind)
  const [list = '', part = 'value'] = name.split('.')
  return valuesSql(list, attributes, item => comparisonSql({ ...comparison, attribute: part }, item, bind))
}

function valuesSql(name: string, { values = {} }: FilterAttributes, where: (item: FilterAttributes) => string): string {
  const list = ownOf(values, name)
  if (!list) throw scimFault('invalidFilter', `${name} is no attribute to filter by`)
  return `exists (select from jsonb_array_elements(${list.sql}) item where ${where(list.item)})`
}

function ownOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** The name of an attribute in lower case, without its schema. */
function nameOf(attribute: string): string {
  return withoutSchema(attribute).toLowerCase()
}

const orders = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const

/** Compares a text; in any case unless told otherwise. */
export function textCondition(sql: string, { isExact = false, narrow }: TextOptions = {}): Condition {
  return ({ op, value, attribute }, bind) => {
    if (op === 'pr') return `(${sql} is not null and ${sql} <> '')`
    if (value === null) return nullSql({ op, attribute }, sql)
    const literal = String(value)
    const placeholder = bind(isExact ? literal : literal.toLowerCase())
    const comparand = `${placeholder}::text`
    const operand = isExact ? sql : `lower(${sql})`
    if (op === 'eq')
      return narrow ? `(${narrow(comparand)} and ${operand} = ${comparand})` : `${operand} = ${comparand}`
    if (op === 'ne') return `${operand} is distinct from ${comparand}`
    if (op === 'co') return `strpos(${operand}, ${comparand}) > 0`
    if (op === 'sw') return `starts_with(${operand}, ${comparand})`
    if (op === 'ew') return `right(${operand}, length(${comparand})) = ${comparand}`
    return `${operand} collate "C" ${orders[op]} ${comparand} collate "C"`
  }
}

interface TextOptions {
  isExact?: boolean
  /** A condition that an index answers and that holds wherever the text is equal to a value. */
  narrow?: (place: string) => string
}

/** Compares a boolean, by `eq` and `ne` alone. */
export function booleanCondition(sql: string): Condition {
  return ({ op, value, attribute }, bind) => {
    if (op === 'pr') return `${sql} is not null`
    const flag = booleanOf(value)
    if (typeof flag !== 'boolean' || (op !== 'eq' && op !== 'ne'))
      throw scimFault('invalidFilter', `${attribute} is a boolean`)
    return `coalesce(${sql}, false) ${op === 'eq' ? '=' : '<>'} ${bind(flag)}::boolean`
  }
}

function nullSql({ op, attribute }: Pick<Comparison, 'op' | 'attribute'>, sql: string): string {
  if (op === 'eq') return `${sql} is null`
  if (op === 'ne') return `${sql} is not null`
  throw scimFault('invalidFilter', `${attribute} is compared with null by eq and ne alone`)
}
