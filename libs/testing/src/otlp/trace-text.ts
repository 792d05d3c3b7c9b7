import { abbreviate } from '@recto/text'
import type { SentSpan } from './messages.ts'

const shownAttributes = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'messaging.destination.name',
  'db.query.text',
  'error.type',
]
const maxValueLength = 60

/** Formats the spans of a trace as an indented text: service, name, kind, milliseconds and selected attributes. */
export function traceText(spans: SentSpan[]): string {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const childrenOf = (id: string) =>
    spans
      .filter(({ parentSpanId }) => (ids.has(parentSpanId) ? parentSpanId === id : id === ''))
      .toSorted((one, other) => Number(one.startedAt - other.startedAt))
  const linesOf = (id: string, depth: number): string[] =>
    childrenOf(id).flatMap(span => [lineOf(span, depth), ...linesOf(span.spanId, depth + 1)])
  return [`trace ${spans[0]?.traceId ?? ''}`, ...linesOf('', 1)].join('\n')
}

function lineOf({ resource, name, kind, startedAt, endedAt, attributes, isFailed }: SentSpan, depth: number): string {
  const ms = (Number(endedAt - startedAt) / 1e6).toFixed(1)
  const shown = shownAttributes.flatMap(key =>
    attributes[key] === undefined ? [] : [`${key}=${onOneLine(String(attributes[key]))}`],
  )
  return `${'  '.repeat(depth)}${[`[${String(resource['service.name'])}]`, name, `(${kind}, ${ms} ms${isFailed ? ', failed' : ''})`, ...shown].join(' ')}`
}

function onOneLine(text: string): string {
  return abbreviate(text.replaceAll(/\s+/g, ' ').trim(), maxValueLength)
}
