import { Failure } from '@recto/operation'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** A caller's rate limit in the current minute. */
export interface RateState {
  limit: number
  remaining: number
  /** Seconds until the window resets. */
  reset: number
}

/** Counts requests by key in this process; throws `rate_limited`, carrying the state, when a minute's points are used up. */
export interface RateLimit {
  take(key: string): Promise<RateState>
}

/** The `rate_limited` failure with the caller's state. */
export class RateLimited extends Failure {
  readonly state: RateState

  constructor(state: RateState) {
    super('rate_limited', `More than ${state.limit} requests in a minute`, { retryAfter: state.reset })
    this.state = state
  }
}

/** Creates a fixed-window limit of requests per minute and key, counted in this process. */
export function createRateLimit(perMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const state = (result: RateLimiterRes): RateState => ({
    limit: perMinute,
    remaining: Math.max(0, result.remainingPoints),
    reset: Math.ceil(result.msBeforeNext / 1000),
  })
  return {
    async take(key) {
      try {
        return state(await limiter.consume(key))
      } catch (error) {
        throw error instanceof RateLimiterRes ? new RateLimited(state(error)) : error
      }
    },
  }
}
