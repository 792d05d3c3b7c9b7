/** A JSON object of any shape. */
export type Json = Record<string, unknown>

/** Turns an OpenAPI 3.0 document into one whose schemas are JSON Schema, with the corrections below. */
export function toJsonSchema(document: Json): Json {
  const mapped = mapNode(document) as Json
  const { schemas } = mapped.components as { schemas: Record<string, Json> }
  for (const correct of corrections) correct(schemas)
  return mapped
}

/** Replaces `nullable` with the type null; OpenAPI 3.0 ignores the siblings of `$ref`. */
function mapNode(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(mapNode)
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node && typeof node.$ref === 'string') return { $ref: node.$ref }
  const mapped = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapNode(value)]))
  const isNullable = mapped.nullable === true && typeof mapped.type === 'string'
  return isNullable ? { ...mapped, nullable: undefined, type: [mapped.type, 'null'] } : mapped
}

type Correction = (schemas: Record<string, Json>) => void

/** Corrections of errors in the published document: valid responses fail without them. */
const corrections: Correction[] = [
  // The empty variant of a document forbids every other field, so it never matches a page.
  schemas => {
    branches(schemas, 'Document')[2] = { not: { anyOf: [{ required: ['markdown'] }, { required: ['document'] }] } }
  },
  // Both variants match a computed value: the second one means its absence.
  schemas => withoutComputed(schemas, 'RevisionPageDocument', 3),
  schemas => withoutComputed(schemas, 'RevisionReusableContent', 1),
  // Without a type it also matches a string, which then matches two variants.
  schemas => {
    Object.assign(schemaNamed(schemas, 'PlainObject'), { type: 'object' })
  },
  // A bare reference to a file or URL is also an image.
  schemas => {
    const { values } = schemaNamed(schemas, 'DocumentTableRecord').properties as {
      values: { additionalProperties: Json }
    }
    values.additionalProperties = { anyOf: values.additionalProperties.oneOf }
  },
  // All fields of the variants are optional, so that a change of a title matches each of them.
  schemas => {
    const { attributes } = schemaNamed(schemas, 'RevisionSemanticChangePageEdited').properties as { attributes: Json }
    Object.assign(attributes, { anyOf: attributes.oneOf, oneOf: undefined })
  },
  // The slug of a page is the name of its file, which repositories have longer than 0.202.0 allows.
  schemas => {
    Object.assign(schemas.RevisionPageSlug ?? {}, { maxLength: undefined })
  },
  // Each variant of 0.202.0 forbids the label that the button requires.
  schemas => {
    const { data } = schemaNamed(schemas, 'DocumentInlineButton').properties as { data: { allOf: Json[] } }
    for (const variant of (data.allOf[1]?.oneOf as Json[] | undefined) ?? missing('DocumentInlineButton'))
      Object.assign(variant, { additionalProperties: undefined })
  },
  // An emoji also matches the variant of an icon, which is optional there.
  schemas => {
    const { allOf } = (schemas.RevisionTag ?? {}) as { allOf?: { oneOf: Json[] }[] }
    if (allOf) Object.assign(allOf[1]?.oneOf[1] ?? missing('RevisionTag'), { not: { required: ['emoji'] } })
  },
  // Columns are valid content that the document of 0.143.2 does not list.
  schemas => {
    const blocks = branches(schemas, 'DocumentBlocksTopLevels')
    for (const name of ['DocumentBlockColumns', 'DocumentBlockIf']) {
      const $ref = `#/components/schemas/${name}`
      if (!blocks.some(block => block.$ref === $ref)) blocks.push({ $ref })
    }
  },
]

function withoutComputed(schemas: Record<string, Json>, name: string, part: number): void {
  const { oneOf } = (schemaNamed(schemas, name).allOf as { oneOf: Json[] }[])[part] ?? {}
  Object.assign(oneOf?.[1] ?? missing(name), { not: { required: ['computed'] } })
}

function branches(schemas: Record<string, Json>, name: string): Json[] {
  return (schemaNamed(schemas, name).oneOf as Json[] | undefined) ?? missing(name)
}

function schemaNamed(schemas: Record<string, Json>, name: string): Json {
  return schemas[name] ?? missing(name)
}

function missing(name: string): never {
  throw new Error(`The specification's schema ${name} is not what its correction expects`)
}
