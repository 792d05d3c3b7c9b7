import { randomUUID } from 'node:crypto'
import { api } from '@recto/contracts'
import type { Endpoint, Example } from '@recto/contracts-shared'
import { routeOf } from '@recto/operation'
import type { RawRequest } from './people.ts'

/** All operations of the contract, by name. */
export const rows: Record<string, Endpoint> = Object.assign({}, ...Object.values(api))

/** Texts of examples that differ between runs, besides the ids of resources. */
const standIns = {
  installation: 'http://installation.invalid',
  repository: 'http://repository.invalid',
  name: 'unique-name',
}

const placeholder = /\{(\w+)\}/g

/** A request with a placeholder `{kind}` for each id, from an example of a row. */
export interface Template {
  request: RawRequest
  example: Example
}

/** The requests that test an operation: its examples, or one without input. */
export function templatesOf(row: Endpoint): Template[] {
  const { method, path } = routeOf(row) as { method: string; path: string }
  return (row.examples ?? [{}]).map((example: Example) => {
    const filledPath = path.replaceAll(placeholder, (whole, name: string) => example.params?.[name] ?? whole)
    const pairs = Object.entries(example.query ?? {}).map(([name, value]) => `${name}=${value}`)
    const request: RawRequest = { method, path: pairs.length > 0 ? `${filledPath}?${pairs.join('&')}` : filledPath }
    if (example.body !== undefined) request.body = example.body
    if (example.form !== undefined) request.form = { ...example.form }
    return { request, example }
  })
}

/** The kinds that a request names, in the order of its text. */
export function kindsIn(request: RawRequest): string[] {
  return [...JSON.stringify(request).matchAll(placeholder)].map(([, kind = '']) => kind)
}

/** Where an example is sent: URLs of the installation, and of a repository that anybody can read. */
export interface Place {
  installation: string
  repository: string
}

/** A request with an id in place of each placeholder; `id` gets the kind, and how many come before it. */
export function fill(request: RawRequest, place: Place, id: (kind: string, at: number) => string): RawRequest {
  let at = -1
  const text = JSON.stringify(request)
    .replaceAll(standIns.installation, place.installation)
    .replaceAll(standIns.repository, place.repository)
    .replaceAll(standIns.name, () => `name-${randomUUID()}`)
    .replaceAll(placeholder, (_whole, kind: string) => {
      at += 1
      return id(kind, at)
    })
  return JSON.parse(text) as RawRequest
}

/** The kind of a resource whose kind says in which state it is: `ownSpaceId` and `deletedSpaceId` are a `spaceId`. */
export function plainKind(kind: string): string {
  const [, plain] = /^(?:own|deleted|failed|target|admin)([A-Z]\w*)$/.exec(kind) ?? []
  return plain === undefined ? kind : plain.charAt(0).toLowerCase() + plain.slice(1)
}
