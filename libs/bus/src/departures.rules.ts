/** Questions in a row without an answer: while a leader of the cluster is elected, none answers for up to ten seconds. */
const maxUnanswered = 3
/** Questions between two departures from the same server, at most. */
const maxPatience = 16

/** Decides when a client leaves a server whose cluster does not answer. */
export interface Departures {
  /** Whether it leaves after this question. */
  isDue(isAnswered: boolean): boolean
}

/**
 * The client library may come back to the server that it has left. It leaves that again at the next question, and then ever later: each
 * departure ends the requests that are under way, and the server may be the only one that is left.
 */
export function createDepartures(): Departures {
  let unanswered = 0
  let next = maxUnanswered
  let patience = 1
  return {
    isDue(isAnswered) {
      unanswered = isAnswered ? 0 : unanswered + 1
      if (isAnswered) {
        next = maxUnanswered
        patience = 1
      }
      if (unanswered < next) return false
      next = unanswered + patience
      patience = Math.min(2 * patience, maxPatience)
      return true
    },
  }
}
