export { commonConfig, databaseServiceConfig, readConfig } from './config.ts'
export { implementEvents, type ConsumedEvents, type EventContext, type EventHandlers } from './events.ts'
export { runProcess, type ProcessOptions, type ProcessTools } from './process.ts'
export {
  startDatabaseService,
  type DatabaseService,
  type RunningService,
  type RunTransaction,
  type ServiceContext,
} from './service.ts'
export { startScheduler, type PeriodicWork } from './scheduler.ts'
