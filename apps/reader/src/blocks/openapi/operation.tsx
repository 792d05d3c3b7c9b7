import type { ComponentChildren } from 'preact'
import { CodeFigure } from '../nodes/code.tsx'
import { tabGroup } from '../nodes/tab-group.tsx'
import type { Context } from '../model/context.ts'
import { description } from './description.tsx'
import { exampleText } from './example.ts'
import type { Media, Operation, Parameter, Response, SecurityScheme } from './operation-data.ts'
import { sampleRequest, samplesOf } from './samples.ts'
import { propertyRow, schemaBody, schemaPlace } from './schema.tsx'
import { wordsOf, type Specification } from './specification.ts'

/** Where an operation is written. */
interface OperationPlace {
  specification: Specification
  context: Context
  isWebhook: boolean
}

/** Writes the parts of an operation, one below the other. */
export function operationParts(operation: Operation, place: OperationPlace): ComponentChildren {
  const { context } = place
  return (
    <>
      {description(operation.description, context)}
      {serversPart(operation, place)}
      {securityPart(operation.security, place)}
      {(['path', 'query', 'header', 'cookie'] as const).map(kind =>
        parametersPart(
          operation.parameters.filter(item => item.place === kind),
          kind,
          place,
        ),
      )}
      {bodyPart(operation, place)}
      {responsesPart(operation.responses, place)}
      {!place.isWebhook && samplesPart(operation, place)}
    </>
  )
}

function part(label: string, content: ComponentChildren): ComponentChildren {
  return (
    <div class="openapi-part">
      <h3>{label}</h3>
      {content}
    </div>
  )
}

function serversPart({ servers }: Operation, { context }: OperationPlace): ComponentChildren {
  if (servers.length === 0) return null
  const items = servers.map(server => (
    <li>
      <code>{server.url}</code> {server.description}
    </li>
  ))
  return part(context.t('openapi.servers'), <ul>{items}</ul>)
}

function securityPart(security: readonly SecurityScheme[], { context }: OperationPlace): ComponentChildren {
  if (security.length === 0) return null
  const items = security.map(({ name, value }) => (
    <div class="openapi-property">
      <p class="openapi-line">
        <code class="openapi-name">{name}</code> <span class="openapi-type">{schemeText(value)}</span>
      </p>
      {description(wordsOf(value['description']), context)}
    </div>
  ))
  return part(context.t('openapi.authorization'), <div class="openapi-properties">{items}</div>)
}

/** A way to sign in, such as `http bearer` or `apiKey in header X-Key`. */
function schemeText({ type, scheme, name, in: place }: Record<string, unknown>): string {
  const details = [type, scheme, place && `in ${String(place)}`, name].filter(
    item => typeof item === 'string' && item !== '',
  )
  return details.join(' ')
}

function parametersPart(
  parameters: readonly Parameter[],
  kind: 'path' | 'query' | 'header' | 'cookie',
  { specification, context }: OperationPlace,
): ComponentChildren {
  if (parameters.length === 0) return null
  const place = schemaPlace(specification, context)
  const rows = parameters.map(({ name, schema, isRequired, value }) =>
    propertyRow({ name, schema: withExample(schema, value), isRequired, about: wordsOf(value['description']) }, place),
  )
  return part(context.t(`openapi.${kind}`), <div class="openapi-properties">{rows}</div>)
}

/** Merges a parameter's fields beside its schema into the schema. */
function withExample(schema: unknown, { example, deprecated }: Record<string, unknown>): unknown {
  if (typeof schema !== 'object' || schema === null) return {}
  return { ...schema, ...(example !== undefined && { example }), ...(deprecated === true && { deprecated }) }
}

function bodyPart({ body }: Operation, place: OperationPlace): ComponentChildren {
  if (!body) return null
  const { context } = place
  const content = (
    <>
      {description(body.description, context)}
      {body.content.map(media => mediaPart(media, place))}
    </>
  )
  return part(
    `${context.t('openapi.body')} (${context.t(body.isRequired ? 'openapi.required' : 'openapi.optional')})`,
    content,
  )
}

function mediaPart({ type, schema, example }: Media, { specification, context }: OperationPlace): ComponentChildren {
  const source = example === undefined ? undefined : exampleText(example)
  const isJson = /[/+]json\b/.test(type)
  return (
    <div class="openapi-media">
      <p class="openapi-label">
        <code>{type}</code>
      </p>
      {schema !== undefined && schemaBody(schema, schemaPlace(specification, context))}
      {source !== undefined && (
        <CodeFigure
          source={source}
          look={{ title: context.t('openapi.example'), language: isJson ? 'json' : undefined }}
          context={context}
        />
      )}
    </div>
  )
}

function responsesPart(responses: readonly Response[], place: OperationPlace): ComponentChildren {
  if (responses.length === 0) return null
  const items = responses.map((response, at) => responseRow(response, at === 0, place))
  return part(place.context.t('openapi.responses'), items)
}

/** A reply by its status; what it holds is shown on demand. */
function responseRow({ status, description: about, content }: Response, isOpen: boolean, place: OperationPlace) {
  const isLong = about !== undefined && (about.includes('\n') || about.length > 200)
  const line = (
    <>
      <code data-status={/^[1-5]/.exec(status)?.[0]}>{status}</code> <span>{isLong ? '' : about}</span>
    </>
  )
  if (content.length === 0 && !isLong) return <p class="openapi-response">{line}</p>
  return (
    <details class="expandable openapi-response" open={isOpen}>
      <summary>{line}</summary>
      <div class="expandable-body">
        {isLong && description(about, place.context)}
        {content.map(media => mediaPart(media, place))}
      </div>
    </details>
  )
}

function samplesPart(operation: Operation, { specification, context }: OperationPlace): ComponentChildren {
  const samples = samplesOf(sampleRequest(operation, specification))
  const items = samples.map(({ title, language, code }) => ({
    title,
    content: <CodeFigure source={code} look={{ language }} context={context} />,
  }))
  return part(context.t('openapi.requestExamples'), tabGroup(items, context))
}
