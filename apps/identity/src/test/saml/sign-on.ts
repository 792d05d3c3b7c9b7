import { headerJson, requestReply } from '@recto/bus'
import { createLog } from '@recto/telemetry'
import { anOrganization, type TestUser } from '../factories.ts'
import { anIdentity, type IdentityClient, type IdentitySetup } from '../identity-setup.ts'
import { aKeyPair, type KeyPair } from './certificate.ts'
import { createResponse, ssoURL, type ResponseOptions } from './identity-provider.ts'

/** Identity with a readable log. */
export interface LoggedIdentity {
  identity: IdentitySetup
  /** The log lines since the last call. */
  takeLines(): Record<string, unknown>[]
}

export async function aLoggedIdentity(environment: Record<string, string> = {}): Promise<LoggedIdentity> {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const identity = await anIdentity({
    environment,
    log: createLog({ service: 'identity', level: 'warn', destination: { write } }),
  })
  return { identity, takeLines: () => lines.splice(0) }
}

/** An organization with an active SAML provider, and the identity provider. */
export interface SignOn {
  organization: { id: string; admin: TestUser }
  provider: string
  params: { organizationId: string; samlProviderId: string }
  keys: KeyPair
  metadata: string
  /** The address that starting a sign-in redirects to. */
  start(): Promise<string>
  /** The response of the identity provider to a request, by default to a new one. */
  answers(person: string, answering?: Partial<ResponseOptions> & { location?: string }): Promise<string>
  /** Posts a response as the browser does. */
  post(xml: string): Promise<string>
  /** Completes a sign-in and returns the token on the page. */
  token(person: string, answering?: Partial<ResponseOptions>): Promise<string>
}

/** The organization and keys of a provider, new ones unless given: to make a key takes a part of a second. */
type SignOnOptions = Partial<Pick<SignOn, 'organization' | 'keys'>>
type Settings = Parameters<IdentityClient['createOrganizationSAMLProvider']>[0]['body']

export async function aSignOn(
  identity: IdentitySetup,
  { organization, keys = aKeyPair(), ...settings }: SignOnOptions & Partial<Settings> = {},
): Promise<SignOn> {
  const owner = organization ?? (await anOrganization(identity))
  const body = { label: 'Okta', ssoURL, entityID: 'https://idp.test', certificate: keys.certificate, ...settings }
  const { id: provider } = await (
    await owner.admin.client()
  ).createOrganizationSAMLProvider({ params: { organizationId: owner.id }, body })
  const params = { organizationId: owner.id, samlProviderId: provider }
  const anonymous = await identity.as('nobody')
  const metadata = await anonymous.getSamlServiceMetadata({ params })
  const start = async () => {
    const { location } = await requestReply(identity.gateway, {
      subject: 'api.identity.startSamlSignIn',
      params: headerJson({ params, query: {} }),
      timeout: 5_000,
    })
    return location ?? ''
  }
  const answers: SignOn['answers'] = async (person, { location, ...answering } = {}) =>
    createResponse({ metadata, location: location ?? (await start()), person }, { keys, ...answering })
  const post = (xml: string) =>
    anonymous.receiveSamlResponse({ params, body: { SAMLResponse: Buffer.from(xml).toString('base64') } })
  const token: SignOn['token'] = async (person, answering) => tokenOn(await post(await answers(person, answering)))
  return { organization: owner, provider, params, keys, metadata, start, answers, post, token }
}

/** The token on a page. */
export function tokenOn(page: string): string {
  return /<code id="token">([^<]+)</.exec(page)?.[1] ?? ''
}
