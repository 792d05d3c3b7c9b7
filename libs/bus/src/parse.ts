import { Failure, fieldFaults, type FaultDetail, type Operation } from '@recto/operation'
import { parseWithFaults } from '@recto/schema-faults'
import type { z } from 'zod'

interface RawInput {
  params: Record<string, string>
  query: Record<string, unknown>
  headers?: Record<string, string>
  signature?: string
}

/** The input of a request, parsed by its row. */
export interface ParsedInput {
  params: unknown
  query: unknown
  body: unknown
  headers?: Record<string, string>
  raw?: Uint8Array
  signature?: string
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a request once, by its row; throws `invalid_request` with every fault in `details`. */
export function parseInput(row: Operation, input: string, body: Uint8Array): ParsedInput {
  const raw = input === '' ? { params: {}, query: {} } : (JSON.parse(input) as RawInput)
  const faults: FaultDetail[] = []
  const query = row.query ? check(row.query, raw.query, { at: 'query', faults }) : undefined
  const parsed = row.body ? check(row.body, parseBody(row, body), { at: 'body', faults }) : undefined
  if (faults.length > 0) throw fieldFaults(faults)
  return {
    params: raw.params,
    query,
    body: parsed,
    ...(row.request?.headers && { headers: raw.headers ?? {} }),
    ...(row.request?.raw && { raw: body }),
    ...(row.limits?.signedBytes !== undefined && raw.signature !== undefined && { signature: raw.signature }),
  }
}

/** Parses a reply with its schema, which strips undeclared fields; throws `internal` when it does not match. */
export function shapeReply(schema: z.ZodType, reply: unknown): unknown {
  const result = schema.safeParse(reply)
  if (result.success) return result.data
  throw new Failure('internal', 'Something went wrong on our side', { cause: result.error })
}

function parseBody(row: Operation, body: Uint8Array): unknown {
  if (body.byteLength === 0) return row.request?.optionalBody ? {} : undefined
  const isForm = row.request?.form === true
  try {
    const text = decoder.decode(body)
    return isForm ? formFields(text) : JSON.parse(text)
  } catch (cause) {
    const message = isForm ? 'is not a form' : 'is not JSON'
    throw new Failure('invalid_request', `The body ${message}`, { cause, details: [{ path: 'body', message }] })
  }
}

/** A repeated field becomes an array, which the string schemas of forms refuse. */
function formFields(text: string): Record<string, string | string[]> {
  const form = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(form.keys())].map(name => {
      const values = form.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

/** A value that is nested too deeply for the schema's recursion is faulty as a whole. */
function parseNested(schema: z.ZodType, value: unknown, at: string): ReturnType<typeof parseWithFaults> {
  try {
    return parseWithFaults(schema, value, [at])
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { success: false, faults: [{ path: at, keys: [at], message: 'is nested too deeply' }] }
  }
}

function check(schema: z.ZodType, value: unknown, { at, faults }: { at: string; faults: FaultDetail[] }): unknown {
  const result = parseNested(schema, value, at)
  if (result.success) return result.data
  for (const { path, message } of result.faults) faults.push({ path, message })
  return undefined
}
