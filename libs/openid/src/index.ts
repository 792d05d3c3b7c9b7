export { isProviderUrl } from './issuer.rules.ts'
export type { LogoutToken } from './logout-token.ts'
export { OpenIdFailure, type OpenIdReason } from './openid-failure.ts'
export {
  createOpenIdClient,
  type AuthorizationRequest,
  type AuthorizationResponse,
  type LogoutRequest,
  type OpenIdClient,
  type OpenIdClientOptions,
  type OpenIdSettings,
  type SignedIn,
  type SignInChecks,
} from './openid-client.ts'
