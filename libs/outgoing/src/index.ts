export {
  createOutgoing,
  type Outgoing,
  type OutgoingOptions,
  type OutgoingReply,
  type OutgoingRequest,
} from './outgoing.ts'
export { discardBody, requestPlain } from './plain.ts'
export { OutgoingFailure, type OutgoingReason } from './outgoing-failure.ts'
export type { OutgoingBody, OutgoingHeaders } from './redirects.ts'
export type { Resolve } from './destination.ts'
export { isPublicAddress } from './addresses.ts'
export { signedHeaders, type SignedMessage } from './signed-headers.rules.ts'
