import { sendRaw, type Person } from './people.ts'

/** The input of a call, besides the ids that all calls share. */
export interface RouteCall {
  body?: object
  /** Values of parameters of the path, by name. */
  names?: Record<string, string>
  /** A query, such as `limit=1`. */
  query?: string
}

type Check = (operation: string, reply: { status: number; data: unknown }) => unknown

/** Calls operations by their route (`GET /spaces/{spaceId}`): those that a published client has no method for. `check` gets each reply; a refusal is an error. */
export function routeCalls(
  place: { url: string },
  { who, ids, check }: { who: Person; ids: Record<string, string>; check: Check },
) {
  return async <T>(operation: string, { body, names = {}, query }: RouteCall = {}): Promise<T> => {
    const [method = '', template = ''] = operation.split(' ')
    const values: Record<string, string> = { ...ids, ...names }
    const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? 'nothing')
    const sending = { method, path: query === undefined ? path : `${path}?${query}`, ...(body && { body }) }
    const reply = await sendRaw(place.url, who, sending)
    if (reply.status >= 400) throw new Error(`${operation}: ${JSON.stringify(reply.body)}`)
    return check(operation, { status: reply.status, data: reply.body }) as T
  }
}
