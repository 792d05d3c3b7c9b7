import { requestReply, type Bus } from '@recto/bus'
import { Failure, type Operations } from '@recto/operation'

/** Milliseconds that a service has to answer: less than a readiness probe waits. */
const answerTimeout = 500

/** Follows which services of the API have answered since the start of the gateway. */
export interface FirstAnswers {
  /** Asks the services that have not answered yet; resolves to those that still have not. */
  missing(): Promise<string[]>
}

/**
 * Asks each service for its last operation, without an actor, which refuses the request before its handler runs: any reply, a refusal too,
 * says that the service is there. A service that has answered once is not asked again.
 */
export function createFirstAnswers(bus: Bus, api: Record<string, Operations>): FirstAnswers {
  const waiting = new Map(
    Object.entries(api).flatMap(([service, rows]) => {
      const id = probeOf(rows)
      return id === undefined ? [] : [[service, `api.${service}.${id}`] as const]
    }),
  )
  return {
    async missing() {
      const asked = [...waiting].map(async ([service, subject]) => {
        if (await answers(bus, subject)) waiting.delete(service)
      })
      await Promise.all(asked)
      return [...waiting.keys()]
    },
  }
}

/** The last operation of a table whose handler never runs without an actor. */
function probeOf(rows: Operations): string | undefined {
  return Object.entries(rows).findLast(([, row]) => row.route !== undefined && row.access?.public !== true)?.[0]
}

async function answers(bus: Bus, subject: string): Promise<boolean> {
  try {
    await requestReply(bus, { subject, timeout: answerTimeout })
    return true
  } catch (error) {
    return error instanceof Failure && error.code !== 'unavailable' && error.code !== 'timeout'
  }
}
