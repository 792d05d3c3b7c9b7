import { fieldsOf } from '../model/read.ts'
import { mediaExample, schemaExample } from './example.ts'
import { listOf, own, wordsOf, type Specification } from './specification.ts'

/** A parameter of an operation. */
export interface Parameter {
  name: string
  place: 'path' | 'query' | 'header' | 'cookie'
  isRequired: boolean
  schema: unknown
  value: Record<string, unknown>
}

/** The body of a request or a reply in one media type. */
export interface Media {
  type: string
  schema: unknown
  example: unknown
}

/** A reply of an operation. */
export interface Response {
  status: string
  description: string | undefined
  content: Media[]
}

/** How a caller shows who it is. */
export interface SecurityScheme {
  name: string
  value: Record<string, unknown>
}

/** An operation as it is written. */
export interface Operation {
  method: string
  path: string
  title: string | undefined
  description: string | undefined
  isDeprecated: boolean
  servers: { url: string; description: string | undefined }[]
  security: SecurityScheme[]
  parameters: Parameter[]
  body: { description: string | undefined; isRequired: boolean; content: Media[] } | undefined
  responses: Response[]
}

const places = ['path', 'query', 'header', 'cookie'] as const
const maxUrlLength = 2_000
const bounds = { parameters: 200, responses: 40, media: 10, servers: 20, security: 20 }

/** Finds an operation by its path, or a webhook by its name; undefined when there is none. */
export function readOperation(
  { path, method, isWebhook }: { path: string; method: string; isWebhook: boolean },
  specification: Specification,
): Operation | undefined {
  const { document, follow } = specification
  const item = follow(own(document[isWebhook ? 'webhooks' : 'paths'], path)).value
  const value = own(item, method.toLowerCase())
  if (typeof value !== 'object' || value === null) return undefined
  const operation = fieldsOf(value)
  const servers = [operation['servers'], item['servers'], document['servers']].map(listOf).find(list => list.length > 0)
  return {
    method: method.toLowerCase(),
    path,
    title: wordsOf(operation['summary']) ?? wordsOf(operation['operationId']),
    description: wordsOf(operation['description']),
    isDeprecated: operation['deprecated'] === true,
    servers: isWebhook ? [] : (servers ?? []).slice(0, bounds.servers).map(readServer),
    security: isWebhook ? [] : readSecurity(operation, specification),
    parameters: readParameters([...listOf(item['parameters']), ...listOf(operation['parameters'])], specification),
    body: readBody(operation['requestBody'], specification),
    responses: Object.entries(fieldsOf(operation['responses']))
      .slice(0, bounds.responses)
      .map(([status, response]) => readResponse(status, response, specification)),
  }
}

/** A server with the defaults of its variables. */
function readServer(server: unknown): Operation['servers'][number] {
  const { url, description, variables } = fieldsOf(server)
  const filled = String(url ?? '')
    .slice(0, maxUrlLength)
    .replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) => {
      const value = fieldsOf(own(variables, name))['default']
      return typeof value === 'string' ? value : placeholder
    })
  return { url: filled.replace(/\/+$/, ''), description: wordsOf(description) }
}

function readSecurity(operation: Record<string, unknown>, { document, follow }: Specification): SecurityScheme[] {
  const requirements = listOf(operation['security'] ?? document['security'])
  const names = [...new Set(requirements.flatMap(requirement => Object.keys(fieldsOf(requirement))))]
  const schemes = fieldsOf(document['components'])['securitySchemes']
  return names.slice(0, bounds.security).map(name => ({ name, value: follow(own(schemes, name)).value }))
}

/** Parameters of an operation replace those of its path that have the same name and place. */
function readParameters(list: readonly unknown[], { follow }: Specification): Parameter[] {
  const parameters = new Map<string, Parameter>()
  for (const item of list.slice(0, bounds.parameters)) {
    const { value } = follow(item)
    const place = places.find(candidate => candidate === value['in'])
    const name = wordsOf(value['name'])
    if (!place || name === undefined) continue
    const [media] = Object.values(fieldsOf(value['content'])).map(fieldsOf)
    const schema = value['schema'] ?? media?.['schema']
    parameters.set(`${place} ${name}`, { name, place, isRequired: value['required'] === true, schema, value })
  }
  return [...parameters.values()]
}

function readBody(body: unknown, specification: Specification): Operation['body'] {
  if (body === undefined) return undefined
  const { value } = specification.follow(body)
  const content = readContent(value['content'], specification, 'request')
  return { description: wordsOf(value['description']), isRequired: value['required'] === true, content }
}

function readResponse(status: string, response: unknown, specification: Specification): Response {
  const { value } = specification.follow(response)
  const content = readContent(value['content'], specification, 'response')
  return { status, description: wordsOf(value['description']), content }
}

function readContent(content: unknown, specification: Specification, direction: 'request' | 'response'): Media[] {
  return Object.entries(fieldsOf(content))
    .slice(0, bounds.media)
    .map(([type, media]) => ({
      type,
      schema: fieldsOf(media)['schema'],
      example: mediaExample(media, specification, direction),
    }))
}

/** An example of a parameter. */
export function parameterExample({ value, schema }: Parameter, specification: Specification): unknown {
  const requestExample = mediaExample(
    { example: value['example'], examples: value['examples'] },
    specification,
    'request',
  )
  return requestExample ?? (schema === undefined ? undefined : schemaExample(schema, specification, 'request'))
}
