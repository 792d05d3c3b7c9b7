import { bundle } from '@scalar/json-magic/bundle'
import { upgrade, validate } from '@scalar/openapi-parser'
import { parse } from 'yaml'
import { outlineOf, type Outline } from '../versions/outline.rules.ts'
import { rawFormatOf } from '../versions/raw-format.rules.ts'
import { fileName, withoutQuery } from '../specs/sources.rules.ts'
import type { SpecError } from '../specs/spec.entity.ts'

/** The texts of a specification that are known, by URL; its own is under `entry`, which is no URL when it came as text. */
export interface SpecificationTexts {
  entry: string
  texts: Record<string, string>
  /** Bytes of the document as JSON. */
  maxBytes: number
}

/** A specification as one document of OpenAPI 3.1 in JSON with its outline, the texts that it also needs, or what is wrong with it. */
export type Reading =
  | { kind: 'document'; json: string; outline: Outline }
  | { kind: 'missing'; urls: string[] }
  | { kind: 'invalid'; errors: SpecError[] }

type Json = Record<string, unknown>

const maxAliases = 100
const externalKey = 'x-ext'
const externalNames = 'x-ext-urls'

/** Reads a specification: JSON or YAML, Swagger 2.0 or OpenAPI 3, with what it refers to moved into it. Runs in a worker thread, since what strangers wrote can take any time and memory. */
export async function readSpecification({ entry, texts, maxBytes }: SpecificationTexts): Promise<Reading> {
  const files = new SpecificationFiles(texts, entry)
  const document = files.parse(entry)
  if (!document) return invalid(files.errors)
  const version = versionFault(document)
  if (version) return invalid([version])
  await bundle(document, {
    plugins: [{ type: 'loader', validate: () => true, exec: url => files.load(url) }],
    treeShake: true,
    urlMap: false,
    origin: entry,
    externalDocumentsKey: externalKey,
    externalDocumentsMappingsKey: externalNames,
  })
  delete document[externalNames]
  if (files.errors.length > 0) return invalid(files.errors)
  if (files.missing.size > 0) return { kind: 'missing', urls: [...files.missing] }
  return bundled(document, maxBytes)
}

async function bundled(document: Json, maxBytes: number): Promise<Reading> {
  const { valid, errors = [] } = await validate(structuredClone(document))
  if (!valid) return invalid(errors.map(({ message }) => ({ code: 'INVALID_SPECIFICATION', message: String(message) })))
  const { specification } = upgrade(document)
  const json = JSON.stringify(specification)
  if (Buffer.byteLength(json) > maxBytes)
    return invalid([{ code: 'TOO_LARGE', message: `The specification is larger than ${maxBytes} bytes` }])
  return { kind: 'document', json, outline: outlineOf(specification as Json) }
}

/** The texts that a specification refers to: those that are known, those that are missing, and what is wrong with them. */
class SpecificationFiles {
  readonly missing = new Set<string>()
  readonly errors: SpecError[] = []
  readonly #texts: Record<string, string>
  readonly #entry: string

  constructor(texts: Record<string, string>, entry: string) {
    this.#texts = texts
    this.#entry = entry
  }

  /** Reads a missing file as empty: the reading then ends with a fault that names it, and the library logs nothing. */
  async load(url: string): Promise<{ ok: true; data: unknown; raw: string }> {
    const raw = this.#texts[url]
    if (raw !== undefined) return { ok: true, data: this.parse(url) ?? {}, raw }
    if (/^https?:\/\//i.test(url)) this.missing.add(url)
    else this.errors.push(refused(url))
    return { ok: true, data: {}, raw: '' }
  }

  parse(name: string): Json | undefined {
    const text = this.#texts[name] ?? ''
    try {
      const data: unknown = rawFormatOf(text) === 'json' ? JSON.parse(text) : parseYaml(text)
      if (isObject(data)) return data
      this.errors.push({
        code: 'INVALID_SYNTAX',
        message: `${fileName(name, this.#entry)} is no object of JSON or YAML`,
      })
    } catch (error) {
      const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      this.errors.push({ code: 'INVALID_SYNTAX', message: `${fileName(name, this.#entry)} cannot be read: ${reason}` })
    }
    return undefined
  }
}

/** Aliases that multiply are refused: a few lines of them stand for more than fits into memory. So are those of what they are in, which have no form in JSON. */
function parseYaml(text: string): unknown {
  const data: unknown = parse(text, { maxAliasCount: maxAliases, merge: true, logLevel: 'error' })
  return JSON.parse(JSON.stringify(data ?? null))
}

function versionFault({ swagger, openapi }: Json): SpecError | undefined {
  if (swagger === '2.0' || (typeof openapi === 'string' && /^3\.[01]\.\d+/.test(openapi))) return undefined
  const message = 'The document must say swagger: "2.0", or openapi: 3.0.x or 3.1.x'
  return { code: 'UNSUPPORTED_VERSION', message }
}

function refused(reference: string): SpecError {
  const message = `The reference ${withoutQuery(reference)} is not followed: only http and https URLs are, and relative ones from a source with a URL`
  return { code: 'REFUSED_REFERENCE', message }
}

function isObject(data: unknown): data is Json {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

function invalid(errors: SpecError[]): Reading {
  return { kind: 'invalid', errors: errors.slice(0, 100) }
}
