import { Socket } from 'node:net'
import pg from 'pg'

/** Milliseconds beyond the limit of a statement in which its answer, or that it was cancelled, arrives. */
const margin = 5_000

/** When a connection is ended because its server says nothing any more. */
interface SilenceOptions {
  /** Milliseconds after which the server cancels a statement; 0 for never, as then any silence may be work. */
  statementTimeout: number
  /** Called when a connection was ended. */
  onSilence?: () => void
}

/**
 * The class of clients whose connection ends when a statement has no answer: the machine of a server that is gone closes nothing, and
 * the operating system gives up after a quarter of an hour. They always have an `error` listener: the pool removes its own before the
 * next user adds one, and a connection that ends in between would end the process. The user's next statement fails in any case.
 */
export function clientsOf({ statementTimeout, onSilence = () => {} }: SilenceOptions): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.on('error', () => undefined)
      if (statementTimeout === 0) return
      this.once('connect', () => {
        const { stream } = this.connection
        if (!(stream instanceof Socket)) return
        // A connection that is idle is silent, too: nothing was sent after the last answer.
        let answered = stream.bytesWritten
        this.connection.prependListener('readyForQuery', () => void (answered = stream.bytesWritten))
        stream.setTimeout(statementTimeout + margin)
        stream.on('timeout', () => {
          if (stream.bytesWritten === answered) return
          stream.destroy()
          onSilence()
        })
      })
    }
  }
}

/** Ends a connection at once, without a word to a server that may not be there. */
export function abandon(client: pg.ClientBase): void {
  if (client instanceof pg.Client) client.connection.stream.destroy()
}
