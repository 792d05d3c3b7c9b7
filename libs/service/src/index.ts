export {
  commonConfig,
  busSettings,
  databaseLimits,
  databaseServiceConfig,
  processConfig,
  readConfig,
  readEnvironment,
  secrets,
  webAddress,
  webAddresses,
} from './config.ts'
export type { EventContext } from './event-context.ts'
export { implementEvents, type ConsumedEvents, type EventHandlers } from './events.ts'
export { EventReactionEntity, reactionTable } from './event-reaction.entity.ts'
export { fetchFirst, implementReactions, type FetchingReaction, type Reaction, type Reactions } from './reactions.ts'
export { firstRequestsFirst } from './first-requests.ts'
export { closeServer, closeWithReplies, listenOn } from './http-server.ts'
export { runProcess, type ProcessOptions, type ProcessTools } from './process.ts'
export {
  startDatabaseService,
  type DatabaseService,
  type RunningService,
  type ServiceContext,
  type ServiceParts,
  type ServiceTools,
} from './service.ts'
export type { Refusal } from './refusals.ts'
export { releaseStartupMemory } from './startup-memory.ts'
export { startScheduler, type DueRows, type PeriodicWork } from './scheduler.ts'
export type { RunTransaction } from './requests.ts'
export { databaseCommands, tableLine, type AdminCommand, type CommandContext } from './commands.ts'
