import { gitContentCalls } from '@recto/contracts-git-worker-bus'
import { accessCalls } from './access-calls.ts'
import { askCalls } from './ask-calls.ts'
import { publicAddressCalls } from './public-address-calls.ts'
import { readerCalls } from './reader-calls.ts'
import { shownSpecCalls } from './shown-spec-calls.ts'
import { siteContentCalls } from './site-content-calls.ts'
import { uploadCalls } from './upload-calls.ts'

export * from './access-calls.ts'
export * from './ask-calls.ts'
export * from './events.ts'
export * from './lifecycle-events.ts'
export * from './public-address-calls.ts'
export * from './reader-calls.ts'
export * from './shown-spec-calls.ts'
export * from './site-content-calls.ts'
export * from './upload-calls.ts'

/** Calls that content answers. */
export const contentRpc = {
  ...gitContentCalls,
  ...accessCalls,
  ...readerCalls,
  ...uploadCalls,
  ...siteContentCalls,
  ...shownSpecCalls,
  ...publicAddressCalls,
  ...askCalls,
}
