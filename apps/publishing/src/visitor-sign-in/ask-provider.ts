import { Failure } from '@recto/operation'
import { OpenIdFailure } from '@recto/openid'
import type { BaseContext } from '../shared/context.ts'
import { failureKind, type FailureKind } from './failure-kind.rules.ts'

/** Words for the visitor: the log says more. */
const messages: Record<FailureKind, string> = {
  unreachable: 'The provider that signs visitors in does not answer. Try again later',
  provider: 'The provider that signs visitors in cannot be used at the moment',
  refused: 'The provider refused the sign-in',
  invalid: 'The sign-in is not valid. Sign in again',
}

/** Asks the provider of a site. What fails is logged with its reason; throws `unavailable` where the provider is to blame, else `forbidden`. */
export async function askProvider<Result>(
  { log }: Pick<BaseContext, 'log'>,
  site: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    const { reason, message } = error
    const kind = failureKind(error)
    log.warn({ site, kind, reason, failure: message }, 'a provider did not sign a visitor in')
    const isOfProvider = kind === 'unreachable' || kind === 'provider'
    throw new Failure(isOfProvider ? 'unavailable' : 'forbidden', messages[kind])
  }
}
