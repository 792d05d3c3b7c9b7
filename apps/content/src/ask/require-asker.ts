import { Failure } from '@recto/operation'
import type { BaseAskContext } from './ask.context.ts'
import type { Asker } from './asker.ts'

/** The engine for questions; throws `conflict` without a chat endpoint in the settings. */
export function requireAsker({ asker }: Pick<BaseAskContext, 'asker'>): Asker {
  if (asker) return asker
  throw new Failure('conflict', 'There is no engine that answers questions: the setting ASK_ENGINE_URL is not set')
}
