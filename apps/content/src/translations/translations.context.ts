import type { BaseContext } from '../shared/context.ts'
import type { Translator } from './translator.ts'

/** The context of handlers that run translations. */
export interface BaseTranslationContext extends BaseContext {
  /** The translator of this process; undefined without a translation engine. */
  translator: Pick<Translator, 'run'> | undefined
}
