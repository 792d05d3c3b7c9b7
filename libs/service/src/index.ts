export { commonConfig, databaseServiceConfig, readConfig } from './config.ts'
export { startDatabaseService, type Answers, type DatabaseService, type RunningService, type ServiceContext } from './service.ts'
