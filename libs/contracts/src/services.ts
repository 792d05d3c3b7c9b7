/** What each service does on the bus. Subject permissions follow from this table, and nothing else grants any. */
export const services = {
  gateway: { sendsApi: true, calls: ['identity.resolveToken'], hears: ['events.identity.>'] },
  identity: { serves: true, tells: true },
  content: { serves: true, dispatches: ['jobs.git.>'] },
  'git-worker': { calls: ['content.*'], consumes: ['JOBS'] },
} as const

/** A service of the platform. */
export type ServiceName = keyof typeof services
