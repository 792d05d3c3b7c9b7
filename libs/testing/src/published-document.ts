import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc, { type Arbitrary } from 'fast-check'

type Schema = Record<string, unknown> & {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  additionalProperties?: boolean | Schema
  nullable?: boolean
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
}

/** Arbitraries of text properties for which the format has a syntax that the schema does not name. */
export interface PublishedStrings {
  /** The arbitrary of a text property, by its name. */
  [property: string]: Arbitrary<string>
}

/** A document as the published schema has it. */
export interface PublishedDocument {
  object: 'document'
  data: Record<string, unknown>
  nodes: unknown[]
}

/** Levels of nodes below a document. */
const maxLevels = 5

/** The JSON documents of the published specification, derived from its schemas. */
export class PublishedDocuments {
  private readonly schemas: Record<string, Schema>
  private readonly strings: PublishedStrings
  private readonly arbitraries = new Map<string, Arbitrary<unknown>>()

  /** `client` is the package whose specification is read: the one that we answer to, or `gitbook-api-today`. */
  constructor(strings: PublishedStrings, client = '@gitbook/api') {
    const path = createRequire(import.meta.url).resolve(`${client}/spec/openapi.json`)
    const { components } = JSON.parse(readFileSync(path, 'utf8')) as { components: { schemas: Record<string, Schema> } }
    this.schemas = components.schemas
    this.strings = strings
  }

  /** The types of blocks and inlines that documents hold. */
  get types(): string[] {
    const typesOf = (name: string): string[] =>
      (this.schemas[name]?.oneOf ?? []).flatMap(({ $ref = '' }) => {
        const { properties = {} } = this.resolve({ $ref })
        return (properties['type']?.enum ?? []).map(String)
      })
    return [...typesOf('DocumentBlock'), ...typesOf('DocumentInline')]
  }

  /** Documents as a schema of the specification has them; the blocks that it places nowhere, or that are rare in it, stand at the end. */
  arbitrary(): Arbitrary<PublishedDocument> {
    const schemaNamed = (name: string) => this.of({ $ref: `#/components/schemas/${name}` }, { level: 1, name: '' })
    const document = this.of({ $ref: '#/components/schemas/JSONDocument' }, { level: 0, name: '' })
    const rareBlocks = ['DocumentBlockIf', 'DocumentBlockColumns', 'DocumentBlockPrompt', 'DocumentBlockUpdates']
    const rare = rareBlocks.filter(name => name in this.schemas).map(schemaNamed)
    const others = fc.array(fc.oneof(...rare), { maxLength: 2 })
    return fc
      .tuple(document as Arbitrary<PublishedDocument>, fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, others))
      .map(([published, nodes]) => ({ ...published, nodes: [...published.nodes, ...nodes] }))
  }

  private of(schema: Schema, place: { level: number; name: string }): Arbitrary<unknown> {
    const name = schema.$ref?.split('/').at(-1)
    if (name === undefined) return this.make(schema, place)
    const key = `${name} ${place.level} ${place.name}`
    const cachedArbitrary = this.arbitraries.get(key)
    if (cachedArbitrary) return cachedArbitrary
    const made = name === 'DocumentBlockTable' ? this.table(place.level) : this.make(this.resolve(schema), place)
    this.arbitraries.set(key, made)
    return made
  }

  private resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : this.resolve(this.schemas[name] ?? {})
  }

  private make(schema: Schema, place: { level: number; name: string }): Arbitrary<unknown> {
    const { level, name } = place
    if (schema.allOf) return this.make(this.merged(schema), place)
    const options = schema.oneOf ?? schema.anyOf
    if (options && !schema.properties) {
      const inner = options.map(option => this.of(option, place))
      return fc.oneof(...inner, ...(schema.nullable ? [fc.constant(null)] : []))
    }
    if (schema.enum) return fc.constantFrom(...schema.enum)
    switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
      case 'boolean':
        return fc.boolean()
      case 'integer':
      case 'number':
        return fc.oneof(
          fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 600 }),
          fc.constantFrom(1.5, 33.25),
        )
      case 'string':
        return this.string(name)
      case 'array': {
        const isNodes = ['nodes', 'fragments'].includes(name)
        if (name === 'fragments' && schema.items?.oneOf)
          return fc.tuple(...schema.items.oneOf.map(item => this.of(item, { level: level + 1, name: '' })))
        const minLength = schema.minItems ?? 0
        if (isNodes && level >= maxLevels && minLength === 0) return fc.constant([])
        const maxLength = schema.maxItems ?? (name === 'fragments' ? 1 : level === 0 ? 4 : 3)
        const item = this.of(schema.items ?? {}, { level: level + (isNodes ? 1 : 0), name: isNodes ? '' : name })
        const some = fc.array(item, { minLength: Math.min(Math.max(minLength, 1), maxLength), maxLength })
        // An empty array is a case, and no more.
        return isNodes && minLength === 0
          ? fc.oneof({ weight: 12, arbitrary: some }, { weight: 1, arbitrary: fc.constant([]) })
          : fc.array(item, { minLength, maxLength })
      }
      default:
        return this.object(schema, place)
    }
  }

  private string(name: string): Arbitrary<string> {
    return this.strings[name] ?? this.strings[''] ?? fc.string()
  }

  private object({ properties = {}, required = [], additionalProperties }: Schema, { level }: { level: number }) {
    const own = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.of(schema, { level, name })]),
    )
    const record = fc.record(own, { requiredKeys: required.filter(name => name in own) })
    if (typeof additionalProperties !== 'object' || level >= maxLevels + 2) return record
    const others = fc.dictionary(
      fc.stringMatching(/^[a-zA-Z][\w-]{0,8}$/),
      this.of(additionalProperties, { level: level + 2, name: 'value' }),
      { maxKeys: 3, noNullPrototype: true },
    )
    return fc.tuple(record, others).map(([a, b]) => ({ ...b, ...a }))
  }

  /** The parts of `allOf` as one schema; a property of a later part replaces that of an earlier one. */
  private merged({ allOf = [], ...rest }: Schema): Schema {
    const parts = [...allOf.map(part => this.resolve(part)), rest].map(part =>
      part.allOf ? this.merged(part) : part.oneOf && !part.properties ? this.resolve(part.oneOf[0] ?? {}) : part,
    )
    return {
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
      required: [...new Set(parts.flatMap(({ required = [] }) => required))],
    }
  }

  /** Tables whose view, rows and fragments are about columns that the table has. */
  private table(level: number): Arbitrary<unknown> {
    const ref = (name: string) => this.of({ $ref: `#/components/schemas/${name}` }, { level: level + 1, name: '' })
    const columnIds = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 })
    const shape = fc.record({
      view: fc.oneof(ref('DocumentTableViewGrid'), ref('DocumentTableViewCards')) as Arbitrary<Record<string, unknown>>,
      visible: columnIds,
      widths: fc.option(
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 20, max: 500 }), { noNullPrototype: true }),
        { nil: undefined },
      ),
      named: fc.record({ target: fc.boolean(), cover: fc.boolean(), coverDark: fc.boolean() }),
      definition: columnIds.chain(ids =>
        fc.tuple(
          ...ids.map((id): Arbitrary<Record<string, unknown> & { id: string }> =>
            (ref('DocumentTableDefinition') as Arbitrary<Record<string, unknown>>).map(column => ({ ...column, id })),
          ),
        ),
      ),
      rows: fc.array(fc.uuid(), { maxLength: 3 }),
      fullWidth: fc.option(fc.boolean(), { nil: undefined }),
    })
    return shape.chain(({ view, visible, widths, named, definition, rows, fullWidth }) => {
      const ids = definition.map(({ id }) => id)
      const cells = rows.flatMap((_row, at) => definition.map(column => this.cell(column, at, level)))
      return fc.tuple(...cells).map(made => {
        const values = made as { row: number; id: string; value: unknown; fragment?: unknown }[]
        const records = Object.fromEntries(
          rows.map((row, at) => [
            row,
            {
              orderIndex: String.fromCharCode(122 - at),
              values: Object.fromEntries(
                values.filter(cell => cell.row === at && cell.value !== undefined).map(({ id, value }) => [id, value]),
              ),
            },
          ]),
        )
        const { columnWidths: _w, targetDefinition: _t, coverDefinition: _c, coverDefinitionDark: _d, ...others } = view
        const used = widths && Object.fromEntries(Object.entries(widths).filter(([id]) => ids.includes(id)))
        const cards = cardColumns(definition, named)
        const columns = visible.filter(id => ids.includes(id))
        return {
          object: 'block',
          type: 'table',
          isVoid: true,
          data: {
            view: { ...others, columns, ...(view['type'] === 'grid' ? used && { columnWidths: used } : cards) },
            records,
            definition: Object.fromEntries(definition.map(column => [column.id, column])),
            ...(fullWidth !== undefined && { fullWidth }),
          },
          fragments: values.flatMap(({ fragment }) => (fragment === undefined ? [] : [fragment])),
        }
      })
    })
  }

  private cell(column: Record<string, unknown>, row: number, level: number): Arbitrary<unknown> {
    const id = String(column['id'])
    const ref = (name: string) => this.of({ $ref: `#/components/schemas/${name}` }, { level: level + 2, name: '' })
    const options = (column['options'] as { value: string }[] | undefined)?.map(({ value }) => value) ?? []
    const values: Record<string, Arbitrary<unknown>> = {
      number: fc.oneof(fc.integer(), fc.constantFrom(0.5, -2.25)),
      rating: fc.integer({ min: 0, max: 5 }),
      checkbox: fc.boolean(),
      files: fc.array(this.string('file'), { maxLength: 2 }),
      users: fc.array(this.string('user'), { maxLength: 2 }),
      select: options.length > 0 ? fc.subarray(options) : fc.constant([]),
      'content-ref': ref('ContentRef'),
      image: ref('DocumentTableImageRecord'),
    }
    const empty = fc.constantFrom({ row, id, value: undefined }, { row, id, value: null })
    if (column['type'] !== 'text') {
      const value = values[String(column['type'])] ?? fc.constant(null)
      return fc.oneof({ weight: 4, arbitrary: value.map(value => ({ row, id, value })) }, empty)
    }
    const nodes = fc.oneof(
      { weight: 5, arbitrary: fc.array(ref('DocumentBlockParagraph'), { minLength: 1, maxLength: 2 }) },
      fc.array(fc.oneof(ref('DocumentBlockListUnordered'), ref('DocumentBlock')), { maxLength: 2 }),
    )
    const fragment = `${id}-${row}`
    return fc.oneof(
      {
        weight: 4,
        arbitrary: nodes.map(nodes => ({
          row,
          id,
          value: fragment,
          fragment: { object: 'fragment', fragment, nodes },
        })),
      },
      empty,
    )
  }
}

/** The columns of cards that have a role, where the table has one of their type. */
function cardColumns(
  definition: readonly (Record<string, unknown> & { id: string })[],
  columns: { target: boolean; cover: boolean; coverDark: boolean },
): Record<string, string | undefined> {
  const ofType = (type: string) => definition.find(column => column['type'] === type)?.id
  return {
    ...(columns.target && ofType('content-ref') && { targetDefinition: ofType('content-ref') }),
    ...(columns.cover && ofType('files') && { coverDefinition: ofType('files') }),
    ...(columns.coverDark && ofType('image') && { coverDefinitionDark: ofType('image') }),
  }
}
