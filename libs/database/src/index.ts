export { columnsOf, type EntityColumns } from './columns.ts'
export { migrate, schemaState } from './migrate.ts'
export { openDatabase, poolState, type DatabaseOptions, type DataSource, type Db } from './open.ts'
export {
  confirm,
  countWaiting,
  forget,
  handleOnce,
  markTold,
  messagingEntities,
  messagingTables,
  outboxTrace,
  postpone,
  takeDue,
  tell,
  tellEvent,
  type OutgoingMessage,
  type WaitingMessage,
} from './outbox.ts'
export {
  listPage,
  newestFirst,
  readCursor,
  signCursor,
  type ListPage,
  type ListRequest,
  type ListSource,
  type PageRequest,
} from './pages.ts'
export { prepared, query } from './query.ts'
export { startRelay, type RelayOptions } from './relay.ts'
export { schemaDifferences } from './schema-differences.ts'
export { withMeanings, type ConstraintMeanings } from './violations.ts'
