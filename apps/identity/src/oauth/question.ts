import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { Interaction } from 'oidc-provider'
import type { OAuthClientRow } from '../grants/client.entity.ts'
import * as clients from '../grants/clients.repository.ts'
import { currentWork } from './current-work.ts'
import { formProof } from './form-proof.ts'
import { interactionPath } from './interaction-path.ts'
import { pageHeaders, renderPage, type Page } from './pages/layout.ts'
import { expiredPage, type PageForm, type ProgramOrigin, type ShownProgram } from './pages/pages.ts'
import { formTarget, redirectPlace } from './redirect.rules.ts'

/** A step of a person: the authorization server, the exchange, and the fields of the form or the query. */
export interface Step {
  provider: Provider
  request: IncomingMessage
  response: ServerResponse
  fields: URLSearchParams
}

/** A question to a person, and the program that it is about. */
export interface Question extends Step {
  interaction: Interaction
  program: ShownProgram
}

/** The proof that a form is of a page of this interaction and this session. */
export function csrfOf({ jti, session, iat }: Interaction, purpose: string): string {
  return formProof([purpose, jti, session?.cookie, iat])
}

/** A form of the page of an interaction. */
export const formOf = (interaction: Interaction, purpose: string): PageForm => ({
  action: `${interactionPath(interaction.uid)}/${purpose}`,
  csrf: csrfOf(interaction, purpose),
})

/** Answers what was begun long ago, or by another browser. */
export function expired(response: ServerResponse): void {
  send(response, { status: 400, page: expiredPage })
}

/** Ends the question, and goes on with the authorization. */
export function finish(
  { provider, request, response }: Question,
  result: Parameters<Provider['interactionFinished']>[2],
) {
  return provider.interactionFinished(request, response, result)
}

/** The program of an interaction as its pages name it. */
export async function programOf(provider: Provider, interaction: Interaction): Promise<ShownProgram> {
  const clientId = clientIdOf(interaction)
  const row = await clients.find(currentWork().context.db, clientId)
  const name = row?.name ?? (await provider.Client.find(clientId))?.clientName ?? clientId
  const uri = redirectUriOf(interaction)
  const place = uri === undefined ? undefined : redirectPlace(uri)
  return { name, place: place ?? null, origin: originOf(row) }
}

function originOf(row: OAuthClientRow | undefined): ProgramOrigin {
  if (!row) return 'built-in'
  if (row.selfRegistered) return 'itself'
  return row.organizationId === null ? 'installation' : 'organization'
}

const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
/** The scopes that a program asks for. */
export const scopeOf = ({ params }: Interaction) => stringOf(params['scope'])
/** The program that asks. */
export const clientIdOf = ({ params }: Interaction) => stringOf(params['client_id']) ?? ''
const redirectUriOf = ({ params, deviceCode }: Interaction) =>
  deviceCode === undefined ? stringOf(params['redirect_uri']) : undefined

/** Where the forms of the pages of an interaction may lead, besides here. */
export function targetsOf(interaction: Interaction): string[] {
  const uri = redirectUriOf(interaction)
  return uri === undefined ? [] : [formTarget(uri)]
}

/** Sends a page. */
export function send(
  response: ServerResponse,
  { status = 200, page, targets = [] }: { status?: number; page: Page; targets?: string[] },
): void {
  response.writeHead(status, pageHeaders(targets)).end(renderPage(page))
}

/** Sends a browser on. */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end()
}
