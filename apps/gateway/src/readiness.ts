import { busState, type Bus } from '@recto/bus'
import { api } from '@recto/contracts'
import { createFirstAnswers } from '@recto/http'
import type { Closings } from './closings.ts'

/** The parts that a gateway needs before its first request. */
interface Parts {
  bus: Bus
  closings: Pick<Closings, 'areKnown'>
}

/**
 * Returns the check of readiness: NATS is reached, and since the start every service has answered once and the closed sites were known. A
 * service that goes away later leaves the gateway ready, which then answers 503 for its operations alone.
 */
export function createReadiness({ bus, closings }: Parts): () => Promise<true | string> {
  const answers = createFirstAnswers(bus, api)
  let isComplete = false
  return async () => {
    const state = await busState(bus)
    if (state !== true || isComplete) return state
    const missing = await answers.missing()
    if (missing.length > 0) return `no answer yet from: ${missing.join(', ')}`
    if (!closings.areKnown()) return 'the closed sites are not known yet'
    isComplete = true
    return true
  }
}
