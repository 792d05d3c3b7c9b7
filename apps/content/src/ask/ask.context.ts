import type { BaseContext } from '../shared/context.ts'
import type { Asker } from './asker.ts'

/** The context of handlers that answer questions. */
export interface BaseAskContext extends BaseContext {
  /** Sends questions to the chat endpoint of the settings; undefined without one. */
  asker: Asker | undefined
}
