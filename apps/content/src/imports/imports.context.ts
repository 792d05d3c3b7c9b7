import type { Authenticated } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import type { Importer } from './importer.ts'

/** The context of handlers that import content. */
export interface BaseImportContext extends BaseContext {
  /** The importer of this process. */
  importer: Pick<Importer, 'run'>
  /** Milliseconds that a request waits for its import. */
  importWait: number
}

/** The same with the actor, who is known. */
export type ImportContext = Authenticated<BaseImportContext>
