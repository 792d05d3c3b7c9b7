import { abbreviate } from '@recto/text'
const REDACTED = '[redacted]'
const MAX_DEPTH = 8
const MAX_ITEMS = 200
const MAX_QUERY = 300
const secretName =
  /(?:authorization|cookie|token|password|passphrase|secret|credential|api[-_]?key|private[-_]?key)s?$/i

/** Copies the fields of a log record for writing: values of secret names replaced, errors flattened, depth bounded. */
export function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return copyObject(fields, 0)
}

/** Matches near every secret below: most lines match nothing and are scanned once. */
const suspicious = /:\/\/|bearer|basic|recto_|[?&]/i

/** Removes URL credentials, bearer tokens, access tokens and secrets in query strings from a log line. */
export function redactLine(line: string): string {
  if (!suspicious.test(line)) return line
  return line
    .replace(/:\/\/(?:\\.|[^\s/?#"\\])*@/g, `://${REDACTED}@`)
    .replace(/\b(bearer|basic) +[\w.~+/=-]+/gi, `$1 ${REDACTED}`)
    .replace(/\brecto_[0-9A-Za-z]{16,}/g, REDACTED)
    .replace(/([?&][\w-]*(?:token|password|secret|signature)=)[^&\s"\\#]+/gi, `$1${REDACTED}`)
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '[deep]'
  if (value instanceof Error) return copyError(value, depth)
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(item => copy(item, depth + 1))
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), depth + 1)
  const prototype: unknown = Object.getPrototypeOf(value)
  // Sockets, requests and connections reference much of the process: only their name is logged.
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor.name}]`
  return copyObject(value, depth)
}

function copyObject(value: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(value).slice(0, MAX_ITEMS)
  return Object.fromEntries(
    entries.map(([name, item]) => [name, isSecret(name, item) ? REDACTED : copy(item, depth + 1)]),
  )
}

function isSecret(name: string, value: unknown): boolean {
  return (
    secretName.test(name) &&
    value !== undefined &&
    value !== null &&
    typeof value !== 'boolean' &&
    typeof value !== 'number'
  )
}

function copyError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    stack,
    ...copyObject(withoutValues({ ...error }), depth),
    ...(cause !== undefined && { cause: copy(cause, depth + 1) }),
  }
}

/** Database errors carry the statement and users' values (bound parameters, details): these are removed. */
function withoutValues({
  parameters,
  query,
  detail,
  where,
  ...fields
}: Record<string, unknown>): Record<string, unknown> {
  const isOfDatabase = query !== undefined || parameters !== undefined || 'severity' in fields
  if (isOfDatabase) return { ...fields, ...(typeof query === 'string' && { query: abbreviate(query, MAX_QUERY) }) }
  return { ...fields, ...(detail !== undefined && { detail }), ...(where !== undefined && { where }) }
}
