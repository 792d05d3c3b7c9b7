import type { ComponentChildren } from 'preact'
import { inside, consumeBudget, spendText, type Context } from '../model/context.ts'
import { description } from './description.tsx'
import { exampleText, bounded } from './example.ts'
import { isCircular, isNullable, mergeAllOf, partsOf, typesOf, typeText, type Property } from './schema-data.ts'
import { listOf, wordsOf, type ResolvedSchema, type Specification } from './specification.ts'

/** Schemas within schemas that are shown. */
const maxLevels = 7

/** Where a schema stands. */
export interface Place {
  specification: Specification
  context: Context
  /** The references that this schema is in. */
  path: readonly string[]
  level: number
}

/** Opens the place of a schema that is in no other. */
export function schemaPlace(specification: Specification, context: Context): Place {
  return { specification, context, path: [], level: 0 }
}

/** Writes the body of a schema: its properties, or those that it may be. */
export function schemaBody(schema: unknown, place: Place): ComponentChildren {
  const { specification, context, path } = place
  const mergedSchema = mergeAllOf(specification.follow(schema), specification)
  if (mergedSchema.pointers.some(pointer => path.includes(pointer)))
    return <p class="openapi-circular">{context.t('openapi.circular')}</p>
  const within: Place = { ...place, path: [...path, ...mergedSchema.pointers], level: place.level + 1 }
  const items = typesOf(mergedSchema.value)[0] === 'array' ? mergedSchema.value['items'] : undefined
  if (items !== undefined) return schemaBody(items, within)
  const { properties, choices } = partsOf(mergedSchema)
  const other = mergedSchema.value['additionalProperties']
  return (
    <>
      {properties.length > 0 && (
        <div class="openapi-properties">{properties.map(property => propertyRow(property, within))}</div>
      )}
      {typeof other === 'object' && other !== null && (
        <div class="openapi-properties">
          {propertyRow({ name: context.t('openapi.otherProperties'), schema: other, isRequired: false }, within)}
        </div>
      )}
      {choices && (
        <div class="openapi-choices">
          <p class="openapi-label">{context.t(`openapi.${choices.kind}`)}</p>
          {choices.schemas.map((item, at) => choiceRow(item, at, within))}
        </div>
      )}
    </>
  )
}

function choiceRow(schema: unknown, at: number, place: Place): ComponentChildren {
  const name = typeText(schema, place.specification)
  return propertyRow(
    { name: name === 'any' || name === 'object' ? `${at + 1}` : name, schema, isRequired: undefined },
    place,
  )
}

/** Tells whether a schema has parts of its own to show. */
function hasParts(mergedSchema: ResolvedSchema, specification: Specification, depth = 0): boolean {
  const { properties, choices } = partsOf(mergedSchema)
  const other = mergedSchema.value['additionalProperties']
  if (properties.length > 0 || choices || (typeof other === 'object' && other !== null)) return true
  const { items } = mergedSchema.value
  if (items === undefined || depth > 3) return false
  return hasParts(mergeAllOf(specification.follow(items), specification), specification, depth + 1)
}

interface Row extends Omit<Property, 'isRequired'> {
  isRequired: boolean | undefined
  /** A text that stands for that of the schema. */
  about?: string | undefined
}

/** A property, a parameter or a choice: name, type, what is said of it, and what is in it on demand. */
export function propertyRow(row: Row, place: Place): ComponentChildren {
  const { specification, context, path, level } = place
  if (!consumeBudget(context, 40)) return null
  const mergedSchema = mergeAllOf(specification.follow(row.schema), specification)
  const type = typeText(row.schema, specification)
  const isOpen =
    !isCircular(row.schema, path, specification) && level < maxLevels && hasParts(mergedSchema, specification)
  return (
    <div class="openapi-property">
      <p class="openapi-line">
        <code class="openapi-name">{row.name}</code> {type !== row.name && <span class="openapi-type">{type}</span>}
        {marksOf(mergedSchema.value, row.isRequired, context)}
      </p>
      {description(row.about ?? wordsOf(mergedSchema.value['description']), context)}
      {constraintsOf(mergedSchema.value, context)}
      {isOpen && (
        <details class="openapi-children">
          <summary>{context.t('openapi.showChildren')}</summary>
          {schemaBody(row.schema, { ...place, context: inside(context) })}
        </details>
      )}
    </div>
  )
}

function marksOf(value: Record<string, unknown>, isRequired: boolean | undefined, { t }: Context): ComponentChildren {
  const marks = [
    isRequired === true && ['required', t('openapi.required')],
    isNullable(value) && ['nullable', t('openapi.nullable')],
    value['readOnly'] === true && ['read-only', t('openapi.readOnly')],
    value['writeOnly'] === true && ['write-only', t('openapi.writeOnly')],
    value['deprecated'] === true && ['deprecated', t('openapi.deprecated')],
  ].filter(mark => Array.isArray(mark))
  return marks.map(([kind, text]) => [
    ' ',
    <span class="openapi-mark" data-mark={kind}>
      {text}
    </span>,
  ])
}

const limits: [field: string, sign: string][] = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['maximum', '≤'],
  ['exclusiveMaximum', '<'],
  ['minLength', 'length ≥'],
  ['maxLength', 'length ≤'],
  ['minItems', 'items ≥'],
  ['maxItems', 'items ≤'],
  ['multipleOf', 'multiple of'],
]

function constraintsOf(value: Record<string, unknown>, context: Context): ComponentChildren {
  const { t } = context
  const items = value['items'] as Record<string, unknown> | undefined
  const values = listOf(value['enum'] ?? items?.['enum']).slice(0, 100)
  const bounds = limits.filter(([field]) => typeof value[field] === 'number')
  const lines: [string, ComponentChildren][] = []
  if (values.length > 0)
    lines.push([
      t('openapi.values'),
      values.map((item, at) => [at > 0 && ', ', <code>{valueText(item, context)}</code>]),
    ])
  if (value['const'] !== undefined)
    lines.push([t('openapi.constant'), <code>{valueText(value['const'], context)}</code>])
  if (value['default'] !== undefined)
    lines.push([t('openapi.default'), <code>{valueText(value['default'], context)}</code>])
  if (wordsOf(value['pattern'])) lines.push([t('openapi.pattern'), <code>{valueText(value['pattern'], context)}</code>])
  const example = value['example'] ?? listOf(value['examples'])[0]
  if (example !== undefined && typeof example !== 'object')
    lines.push([t('openapi.example'), <code>{valueText(example, context)}</code>])
  if (lines.length === 0 && bounds.length === 0) return null
  return (
    <p class="openapi-constraints">
      {bounds.map(([field, sign]) => (
        <span>{`${sign} ${String(value[field])} `}</span>
      ))}
      {lines.map(([label, content]) => (
        <span>
          {label}: {content}{' '}
        </span>
      ))}
    </p>
  )
}

function valueText(value: unknown, context: Context): string {
  return spendText(context, exampleText(bounded(value)).slice(0, 300))
}
