import { decodeUriComponent } from '@recto/text'
import { Failure, routeOf, type AbsentPaths, type Method, type Operation, type Operations } from '@recto/operation'
import type { HTTPMethod } from 'find-my-way'
import { createAbsentPaths } from './absent-paths.ts'
import { createRouter, parameterized } from './router.ts'

/** A row that matched, with the service that owns it. */
export interface Matched {
  service: string
  operationId: string
  operation: Operation
  params: Record<string, string>
}

type Target = Omit<Matched, 'params'>

/** Finds rows by method and path. */
export interface Routes {
  /**
   * Throws `not_found` for an unknown path, with the reason for one that is absent by decision, `method_not_allowed` for a known one,
   * `invalid_request` for a path that cannot be decoded.
   */
  match(method: string, path: string): Matched
  /** Lists the methods of a path. */
  allowed(path: string): Method[]
}

const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Builds a radix router over every routed row, so that matching costs the same with ten rows as with hundreds. */
export function createRoutes(
  api: Record<string, Operations>,
  prefix: string,
  absent: readonly AbsentPaths[] = [],
): Routes {
  const router = createRouter()
  for (const [service, operations] of Object.entries(api)) {
    for (const [operationId, operation] of Object.entries(operations)) {
      const route = routeOf(operation)
      if (!route) continue
      const target: Target = { service, operationId, operation }
      router.on(route.method, routerPath(`${prefix}${route.path}`, operation), () => undefined, target)
    }
  }
  const absentReason = createAbsentPaths(absent, prefix)
  const find = (method: string, path: string) => router.find(method as HTTPMethod, path)
  const allowed = (path: string): Method[] => methods.filter(method => find(method, path))
  return {
    allowed,
    match(method, path) {
      checkDecodable(path)
      const match = find(method === 'HEAD' ? 'GET' : method, path)
      if (match && Object.values(match.params).every(value => value !== '')) {
        const target = match.store as Target
        return { ...target, params: namedParameters(match.params as Record<string, string>, target.operation) }
      }
      const reason = match ? undefined : absentReason(path)
      if (reason !== undefined) throw new Failure('not_found', `There is nothing at this path: ${reason}`)
      if (!match && allowed(path).length > 0) throw new Failure('method_not_allowed', `${method} is not allowed here`)
      throw new Failure('not_found', 'There is nothing at this path')
    },
  }
}

const lastParameter = /\{(\w+)\}$/

/** The path of a row as the router writes it. */
function routerPath(path: string, { request }: Operation): string {
  return parameterized(request?.wildcard ? path.replace(lastParameter, '*') : path)
}

/** The router calls what a wildcard takes `*`. */
function namedParameters(
  { '*': rest, ...params }: Record<string, string>,
  { route }: Operation,
): Record<string, string> {
  const [, name] = lastParameter.exec(route ?? '') ?? []
  return rest === undefined || name === undefined ? params : { ...params, [name]: rest }
}

function checkDecodable(path: string): void {
  const decoded = decodeUriComponent(path)
  if (decoded !== undefined && !decoded.includes('\0')) return
  throw new Failure('invalid_request', 'The path is not valid', {
    details: [{ path: 'path', message: 'cannot be decoded' }],
  })
}
