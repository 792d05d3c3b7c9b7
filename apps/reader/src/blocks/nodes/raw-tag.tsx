import { decodeEntities, type apiPartTags } from '@recto/markdown'
import type { ComponentChildren } from 'preact'

const maxTagLength = 4_000
const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options'])

/** Writes a tag that was not understood: one of the blocks of an API that pages had before there were specifications. */
export function rawTag(source: string): ComponentChildren {
  const { name = '', attributes } = readTag(source)
  return name in writers ? writers[name as keyof typeof writers](attributes) : undefined
}

type Attributes = Record<string, string | undefined>

function readTag(source: string): { name?: string | undefined; attributes: Attributes } {
  const [, name, attributesText = ''] = /^\{%\s*(swagger[a-z-]*)\s([^]*)%\}$/.exec(source.slice(0, maxTagLength)) ?? []
  const pairs = [...attributesText.matchAll(/\b([\w-]+)="([^"]*)"/g)]
  return { name, attributes: Object.fromEntries(pairs.map(([, key, value = '']) => [key, decodeEntities(value)])) }
}

function address({ method = '', baseUrl = '', path = '', summary }: Attributes): ComponentChildren {
  const knownMethod = methods.has(method.toLowerCase()) ? method.toLowerCase() : undefined
  return [
    summary && (
      <p dir="auto">
        <strong>{summary}</strong>
      </p>
    ),
    <p class="openapi-line openapi-address">
      <span class="method" data-method={knownMethod}>
        {method.toUpperCase()}
      </span>{' '}
      <code>{`${baseUrl}${path}`}</code>
    </p>,
  ]
}

function parameter({ name, type, in: place, required }: Attributes): ComponentChildren {
  return (
    <p class="openapi-line">
      <code class="openapi-name">{name}</code> <span class="openapi-type">{type}</span>{' '}
      <span class="openapi-mark">{place}</span> {required === 'true' && <span class="openapi-mark">*</span>}
    </p>
  )
}

function response({ status, description }: Attributes): ComponentChildren {
  return (
    <p class="openapi-line">
      <code data-status={/^[1-5]/.exec(status ?? '')?.[0]}>{status}</code> <span dir="auto">{description}</span>
    </p>
  )
}

type ApiTag = 'swagger' | (typeof apiPartTags)[number]

/** The tags of an API; a description is the blocks that follow it. */
const writers: Record<ApiTag, (attributes: Attributes) => ComponentChildren> = {
  swagger: address,
  'swagger-description': () => undefined,
  'swagger-parameter': parameter,
  'swagger-response': response,
}
