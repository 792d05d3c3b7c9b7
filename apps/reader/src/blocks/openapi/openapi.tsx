import type { DocumentBlock } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { inside, uniqueId, type Context } from '../model/context.ts'
import { fieldsOf, isSet, textField, textsOf } from '../model/read.ts'
import { Icon } from '../icons/icon.tsx'
import { missingSpecification } from './missing.tsx'
import { readOperation } from './operation-data.ts'
import { operationParts } from './operation.tsx'
import { description } from './description.tsx'
import { schemaBody, schemaPlace } from './schema.tsx'
import { mergeAllOf, typeText } from './schema-data.ts'
import { openSpecification, own, wordsOf, type Specification } from './specification.ts'

function specificationOf(block: DocumentBlock, { input }: Context): Specification | undefined {
  const { spec } = fieldsOf(block.data?.['ref'])
  const content = typeof spec === 'string' ? own(input.specifications, spec) : undefined
  return typeof content === 'string' ? openSpecification(content) : undefined
}

/** A title with a link to itself, which is part of the outline. */
function title(
  words: string,
  id: string,
  { context, isDeprecated }: { context: Context; isDeprecated: boolean },
): ComponentChildren {
  if (context.isOutlined) context.state.outline.push({ id, title: words, depth: 1 })
  return (
    <h2 dir="auto" data-deprecated={isDeprecated || undefined}>
      {words}
      <a class="anchor" href={`#${id}`} aria-label={context.t('blocks.anchor')}>
        <Icon name="link" />
      </a>
    </h2>
  )
}

/** An operation of a specification, or a webhook. */
export function operation(block: DocumentBlock, context: Context): ComponentChildren {
  const specification = specificationOf(block, context)
  const isWebhook = block.type === 'openapi-webhook'
  const path = textField(block, isWebhook ? 'name' : 'path') ?? ''
  const read =
    specification && readOperation({ path, method: textField(block, 'method') ?? '', isWebhook }, specification)
  if (!specification || !read) return missingSpecification(block, context)
  const id = uniqueId(block.meta?.id, context)
  const heading = read.title ?? `${read.method.toUpperCase()} ${path}`
  return (
    <section class="openapi" id={id}>
      {title(heading, id, { context, isDeprecated: read.isDeprecated })}
      <p class="openapi-line openapi-address">
        <span class="method" data-method={read.method}>
          {isWebhook ? context.t('openapi.webhook') : read.method.toUpperCase()}
        </span>{' '}
        <code>{path}</code>{' '}
        {read.isDeprecated && (
          <span class="openapi-mark" data-mark="deprecated">
            {context.t('openapi.deprecated')}
          </span>
        )}
      </p>
      {operationParts(read, { specification, context: inside(context, { isOutlined: false }), isWebhook })}
    </section>
  )
}

/** Schemas of a specification. */
export function schemas(block: DocumentBlock, context: Context): ComponentChildren {
  const specification = specificationOf(block, context)
  if (!specification) return missingSpecification(block, context)
  const schemaByName = fieldsOf(fieldsOf(specification.document['components'])['schemas'])
  const names = textsOf(block.data?.['schemas']).filter(name => own(schemaByName, name) !== undefined)
  if (names.length === 0) return missingSpecification(block, context)
  const id = uniqueId(block.meta?.id, context)
  const isGrouped = isSet(block, 'grouped')
  return (
    <section class="openapi" id={id}>
      {isGrouped && title(context.t('openapi.schemas'), id, { context, isDeprecated: false })}
      {names.slice(0, 500).map(name => oneSchema(name, { specification, context, isGrouped }))}
    </section>
  )
}

function oneSchema(
  name: string,
  { specification, context, isGrouped }: { specification: Specification; context: Context; isGrouped: boolean },
): ComponentChildren {
  const schema = {
    $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`,
  }
  const { value } = mergeAllOf(specification.follow(schema), specification)
  const within = inside(context, { isOutlined: false })
  const id = uniqueId(`schema-${name}`, context)
  const body = (
    <>
      {description(wordsOf(value['description']), within)}
      {schemaBody(schema, schemaPlace(specification, within))}
    </>
  )
  if (!isGrouped)
    return (
      <div class="openapi-schema" id={id}>
        {title(name, id, { context, isDeprecated: value['deprecated'] === true })}
        {body}
      </div>
    )
  return (
    <details class="openapi-schema expandable" id={id}>
      <summary>
        <code>{name}</code> <span class="openapi-type">{typeText({ ...value, title: undefined }, specification)}</span>
      </summary>
      <div class="expandable-body">{body}</div>
    </details>
  )
}
