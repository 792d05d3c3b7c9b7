export { columnsOf, type EntityColumns } from './columns.ts'
export { untilEarliest, wakeFunction, wakeTrigger } from './due-rows.ts'
export {
  deleteOldRequests,
  idempotencyTable,
  markCarriedOut,
  markNotCarriedOut,
  runOnce,
  type IdempotentRequest,
} from './idempotency.ts'
export { startListening, type Channel, type Listening } from './listening.ts'
export { migrate, schemaState } from './migrate.ts'
export { openDatabase, poolState, type DatabaseLimits, type DatabaseOptions, type DataSource, type Db } from './open.ts'
export {
  acknowledge,
  deleteOldMessages,
  listWaiting,
  markPublished,
  messagingTables,
  outboxTrace,
  type HandleOutcome,
  postpone,
  redeliver,
  takeDue,
  waitingStates,
  type OutgoingMessage,
  type UnacknowledgedMessage,
  type WaitingMessage,
} from './outbox.ts'
export {
  byKey,
  listPage,
  newestFirst,
  pageInMemory,
  readCursor,
  signCursor,
  type KeyOf,
  type ListPage,
  type ListRequest,
  type ListSource,
  type PageRequest,
} from './pages.ts'
export { onConnectionAcquired } from './pool.ts'
export { prepared, preparedAsJson, query } from './query.ts'
export { recordTable, type RecordedChange } from './records.ts'
export { startRelay, type RelayOptions } from './relay.ts'
export { schemaDifferences } from './schema-differences.ts'
export { seal, sealerFor, unseal, type Sealer, type SealingKey } from './seal.ts'
export { serviceEntities } from './service-entities.ts'
export { isInTransaction } from './transaction-scope.ts'
export { transact, transactOnce, type Signal, type Transaction } from './transaction.ts'
export { mapConstraintErrors, type ConstraintErrors } from './violations.ts'
