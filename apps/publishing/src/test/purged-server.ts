import type { IncomingMessage } from 'node:http'

/** How a server answers: by purging, with a status, or not at all. */
export type Behaviour = 'purge' | 'hang' | number

/** A server that publishing has purge what it keeps. */
export interface PurgedServer {
  url: string
  /** Tags of each request that it answered with 200. */
  purged: string[][]
  /** Statuses of the others, and `hang` for those that it does not answer. */
  others: (number | 'hang')[]
  /** Sets how it answers the next requests. */
  behave(how: Behaviour): void
  stop(): Promise<void>
  /** Listens again, where it did. */
  start(): Promise<void>
}

/** The requests to such a server, and how it answers now. */
export function purgeLog() {
  const state = { how: 'purge' as Behaviour, port: 0 }
  const purged: string[][] = []
  const others: (number | 'hang')[] = []
  return {
    state,
    purged,
    others,
    /** Notes a request by its tags, or by how it is refused; returns the status of the answer, none where it hangs. */
    note(outcome: string[] | number | 'hang'): number | undefined {
      if (Array.isArray(outcome)) purged.push(outcome)
      else others.push(outcome)
      return Array.isArray(outcome) ? 200 : outcome === 'hang' ? undefined : outcome
    },
    behave: (how: Behaviour) => void (state.how = how),
  }
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
