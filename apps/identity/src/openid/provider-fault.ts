/** Why a provider, or what it has sent, cannot be relied on; the list is closed. */
export type ProviderFaultReason =
  | 'discovery'
  | 'keys'
  | 'key_unknown'
  | 'algorithm'
  | 'signature'
  | 'structure'
  | 'issuer'
  | 'audience'
  | 'nonce'
  | 'expired'
  | 'not_yet_valid'
  | 'time_missing'
  | 'access_token'
  | 'response_issuer'
  | 'provider_error'
  | 'token_request'
  | 'token_response'
  | 'user_info'

/** A fault of an OpenID provider, or of what came in its name. The message is for the log: it may quote the provider, and has no secrets. */
export class ProviderFault extends Error {
  readonly reason: ProviderFaultReason

  constructor(reason: ProviderFaultReason, message = '', options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ProviderFault'
    this.reason = reason
  }
}

/** The messages of an error and of its causes, the outermost first. */
export function messagesOf(error: unknown): string {
  const messages: string[] = []
  for (let current = error; current instanceof Error && messages.length < 5; current = current.cause)
    messages.push(current.message)
  return messages.filter(message => message !== '').join(': ')
}
