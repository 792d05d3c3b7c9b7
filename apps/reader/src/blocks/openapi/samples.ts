import { exampleText } from './example.ts'
import { parameterExample, type Operation, type SecurityScheme } from './operation-data.ts'
import type { Specification } from './specification.ts'

/** A request as an example. */
export interface SampleRequest {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: { kind: 'json' | 'form' | 'multipart' | 'text'; value: unknown } | undefined
}

/** A request in a language. */
export interface Sample {
  title: string
  language: string
  code: string
}

/** The request that calls an operation with what it needs at least. */
export function sampleRequest(operation: Operation, specification: Specification): SampleRequest {
  const { method, path, parameters, servers, security, body } = operation
  const examples = parameters
    .filter(({ isRequired }) => isRequired)
    .map(item => ({ ...item, example: parameterExample(item, specification) }))
  const secrets = security.slice(0, 1).map(secretOf)
  const query = [
    ...examples.filter(({ place }) => place === 'query').map(({ name, example }) => [name, flat(example)] as const),
    ...secrets.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value] as const),
  ]
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  const base = servers[0]?.url || 'https://api.example.com'
  const [media] = body?.content ?? []
  const headers: [string, string][] = [
    ...secrets.filter(({ place }) => place === 'header').map(({ name, value }): [string, string] => [name, value]),
    ...examples
      .filter(({ place }) => place === 'header')
      .map(({ name, example }): [string, string] => [name, flat(example)]),
    ...(media && !/^multipart\//.test(media.type) ? [['Content-Type', media.type] as [string, string]] : []),
    ['Accept', '*/*'],
  ]
  return {
    method: method.toUpperCase(),
    url: `${base}${path}${search === '' ? '' : `?${search}`}`,
    headers,
    body: media && media.example !== undefined ? { kind: kindOf(media.type), value: media.example } : undefined,
  }
}

function kindOf(type: string): NonNullable<SampleRequest['body']>['kind'] {
  if (/[/+]json\b/.test(type)) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type.startsWith('multipart/') ? 'multipart' : 'text'
}

function secretOf({ value }: SecurityScheme): { place: string; name: string; value: string } {
  const { type, scheme, name, in: place } = value
  if (type === 'apiKey') return { place: String(place), name: String(name ?? 'key'), value: 'YOUR_API_KEY' }
  const isBasic = type === 'http' && String(scheme).toLowerCase() === 'basic'
  return {
    place: 'header',
    name: 'Authorization',
    value: isBasic ? 'Basic YOUR_CREDENTIALS' : 'Bearer YOUR_SECRET_TOKEN',
  }
}

function flat(value: unknown): string {
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return value.join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

/** The fields of a form. */
function fieldsIn(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, item]) => [name, flat(item)])
}

/** A request as a command and in languages. */
export function samplesOf(request: SampleRequest): Sample[] {
  return [
    { title: 'cURL', language: 'bash', code: curl(request) },
    { title: 'HTTP', language: 'http', code: http(request) },
    { title: 'JavaScript', language: 'javascript', code: javascript(request) },
    { title: 'Python', language: 'python', code: python(request) },
  ]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function curl({ method, url, headers, body }: SampleRequest): string {
  const options = headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`)
  const flag = body?.kind === 'form' ? '--data-urlencode' : '--form'
  if (body?.kind === 'form' || body?.kind === 'multipart')
    options.push(...fieldsIn(body.value).map(([name, value]) => `${flag} ${quoted(`${name}=${value}`)}`))
  else if (body) options.push(`--data ${quoted(exampleText(body.value))}`)
  return [`curl --request ${method}`, `--url ${quoted(url)}`, ...options].join(' \\\n  ')
}

function http({ method, url, headers, body }: SampleRequest): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const lines = headers.map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`)
  const target = parsed ? url.slice(url.indexOf(parsed.host) + parsed.host.length) || '/' : url
  const head = [`${method} ${oneLine(target)} HTTP/1.1`, ...(parsed ? [`Host: ${parsed.host}`] : []), ...lines].join(
    '\n',
  )
  const text = body && (body.kind === 'json' || body.kind === 'text' ? exampleText(body.value) : formText(body.value))
  return text === undefined ? head : `${head}\n\n${text}`
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

function formText(value: unknown): string {
  return new URLSearchParams(fieldsIn(value)).toString()
}

function javascript({ method, url, headers, body }: SampleRequest): string {
  const lines = [
    `  method: ${JSON.stringify(method)},`,
    `  headers: ${indented(literal(Object.fromEntries(headers)))},`,
  ]
  if (body?.kind === 'json') lines.push(`  body: JSON.stringify(${indented(literal(body.value))}),`)
  else if (body?.kind === 'form')
    lines.push(`  body: new URLSearchParams(${indented(literal(Object.fromEntries(fieldsIn(body.value))))}),`)
  else if (body?.kind === 'text') lines.push(`  body: ${literal(exampleText(body.value))},`)
  else if (body) lines.push('  body: form,')
  const form =
    body?.kind === 'multipart'
      ? [
          'const form = new FormData()',
          ...fieldsIn(body.value).map(([name, value]) => `form.append(${literal(name)}, ${literal(value)})`),
        ]
      : []
  return [
    ...form,
    `const response = await fetch(${literal(url)}, {`,
    ...lines,
    '})',
    'const data = await response.json()',
  ].join('\n')
}

function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? 'null'
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

function python({ method, url, headers, body }: SampleRequest): string {
  const values = [literal(url), `headers=${indentedBy4(pythonText(Object.fromEntries(headers)))}`]
  if (body?.kind === 'json') values.push(`json=${indentedBy4(pythonText(body.value))}`)
  else if (body?.kind === 'multipart')
    values.push(`files=${indentedBy4(pythonText(Object.fromEntries(fieldsIn(body.value))))}`)
  else if (body?.kind === 'form')
    values.push(`data=${indentedBy4(pythonText(Object.fromEntries(fieldsIn(body.value))))}`)
  else if (body) values.push(`data=${literal(exampleText(body.value))}`)
  return [
    'import requests',
    '',
    `response = requests.request(`,
    `    ${literal(method)},`,
    ...values.map(value => `    ${value},`),
    ')',
    'data = response.json()',
  ].join('\n')
}

function indentedBy4(text: string): string {
  return text.replaceAll('\n', '\n    ')
}

/** A value as Python writes it; examples are bounded, so that this is not deep. */
function pythonText(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return literal(value)
  const within = `${indent}    `
  const items = Array.isArray(value)
    ? value.map(item => pythonText(item, within))
    : Object.entries(value).map(([name, item]) => `${literal(name)}: ${pythonText(item, within)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map(item => `${within}${item},`).join('\n')}\n${indent}${close}`
}
