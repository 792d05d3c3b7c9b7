export { busClient } from './client.ts'
export type { WireReply } from './chunks.ts'
export { busState, connectBus, parseNatsUrl, type Bus } from './connection.ts'
export { isIdle, nextEvent } from './events.ts'
export { consume, type Consuming, type Delivery, type Outcome } from './consume.ts'
export { servicePermissions, type ServiceTraffic, type SubjectPermissions } from './permissions.ts'
export { entityTag, noneMatchNames } from './conditions.ts'
export { discard, requestReply, wholeBody, type BusReply, type BusRequest, type RequestConditions } from './request.ts'
export type { KeyedRequest, RequestMeta, RunOnce } from './run-handler.ts'
export { serve, type Serving } from './serve.ts'
export { onSignal } from './signals.ts'
export {
  ensureConsumer,
  ensureStream,
  publishStored,
  type ConsumerSettings,
  type StoredMessage,
  type StreamName,
} from './streams.ts'
export { headerJson } from './wire.ts'
