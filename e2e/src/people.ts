import { randomUUID } from 'node:crypto'
import type { Role } from '@recto/actor'
import type { Installation } from './stack.ts'
import { publishedClient, type PublishedClient } from './published-client.ts'
import { request } from './walk.ts'

/** A user of the platform with a client of their own. */
export interface Person {
  id: string
  email: string
  token: string
  client: PublishedClient
}

/** Creates a user with a token, as the platform's administrator. */
export async function aPerson(
  stack: Installation,
  { email = `${randomUUID()}@recto.test`, displayName = 'Ada' } = {},
): Promise<Person> {
  const { id } = await request<{ id: string }>(stack, 'POST', '/users', { email, displayName })
  const { token } = await request<{ token: string }>(stack, 'POST', `/users/${id}/tokens`, { name: 'test' })
  return { id, email, token, client: publishedClient(stack.url, token) }
}

/** Creates an organization and its admin. */
export async function anOrganization(stack: Installation, body: object = {}): Promise<{ id: string; admin: Person }> {
  const admin = await aPerson(stack)
  const { id } = await sendOk<{ id: string }>(stack, admin, {
    method: 'POST',
    path: '/orgs',
    body: { title: 'Docs', ...body },
  })
  return { id, admin }
}

/** Creates a user who is a member with this role, or a guest for null. */
export async function aMember(
  stack: Installation,
  organization: { id: string; admin: Person },
  role: Role | null,
): Promise<Person> {
  const person = await aPerson(stack)
  await organization.admin.client.orgs.inviteUsersToOrganization(organization.id, {
    emails: [{ email: person.email, role: role as never }],
  })
  return person
}

/** An HTTP request that the published client would not send. */
export interface RawRequest {
  method: string
  path: string
  body?: unknown
  /** A form (urlencoded) instead of a JSON body. */
  form?: Record<string, string>
}

/** Sends a request without the published client and returns the raw response; without `who` it has no token. */
export async function sendRaw(
  url: string,
  who: { token: string } | undefined,
  { method, path, body, form }: RawRequest,
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const headers = {
    ...(who && { authorization: `Bearer ${who.token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const sent = form ? new URLSearchParams(form).toString() : body === undefined ? undefined : JSON.stringify(body)
  const reply = await fetch(`${url}/v1${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(sent !== undefined && { body: sent }),
  })
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  return { status: reply.status, body: isJson ? JSON.parse(text) : text, headers: reply.headers }
}

/** The body of a response without its request id, which HTML pages show. */
export function withoutRequestId({ body, headers }: { body: unknown; headers: Headers }): unknown {
  return typeof body === 'string' ? body.replace(headers.get('x-request-id') ?? '', '') : body
}

/** Sends a request that must succeed, and returns its body. */
export async function sendOk<T>(stack: { url: string }, who: { token: string }, sending: RawRequest): Promise<T> {
  const { status, body } = await sendRaw(stack.url, who, sending)
  if (status >= 400) throw new Error(`${sending.method} ${sending.path}: ${status} ${JSON.stringify(body)}`)
  return body as T
}
