export {
  commonConfig,
  databaseLimits,
  databaseServiceConfig,
  processConfig,
  readConfig,
  readEnvironment,
  secrets,
} from './config.ts'
export { implementEvents, type ConsumedEvents, type EventContext, type EventHandlers } from './events.ts'
export { closeServer, closeWithReplies } from './http-server.ts'
export { runProcess, type ProcessOptions, type ProcessTools } from './process.ts'
export { startDatabaseService, type DatabaseService, type RunningService, type ServiceContext } from './service.ts'
export { startScheduler, type DueRows, type PeriodicWork } from './scheduler.ts'
export type { RunTransaction } from './requests.ts'
export { databaseCommands, tableLine, type AdminCommand, type CommandContext } from './commands.ts'
