/** The traffic of each service on the bus. NATS subject permissions are derived from this table, and nothing else grants any. */
export const services = {
  gateway: {
    sendsApi: true,
    calls: [
      'identity.resolveToken',
      'content.completeUpload',
      'content.findPublicAddress',
      'git-worker.getGitPushKey',
      'publishing.listClosedSites',
    ],
    subscribes: [
      'events.identity.>',
      'events.publishing.>',
      'events.content.space.*',
      'events.content.collection.*',
      'events.content.main-content.*',
    ],
  },
  identity: {
    serves: true,
    publishes: true,
    calls: [
      'content.countSpaces',
      'content.findInvitedSpace',
      'content.grantSpace',
      'content.findInvitedCollection',
      'content.grantCollection',
      'publishing.findSite',
    ],
  },
  content: {
    serves: true,
    publishes: true,
    calls: [
      'identity.acknowledgeEvents',
      'identity.describePeople',
      'identity.describeMembers',
      'identity.describeOrganizations',
      'identity.listMemberships',
      'publishing.acknowledgeEvents',
      'publishing.listLinkedFiles',
      'publishing.findAddresses',
      'publishing.findShareLink',
      'openapi-specs.acknowledgeEvents',
      'openapi-specs.describeVersions',
      'openapi-specs.describeSpecs',
      'openapi-specs.readSpecification',
    ],
    consumes: ['EVENTS'],
  },
  publishing: {
    serves: true,
    publishes: true,
    calls: [
      'content.acknowledgeEvents',
      'openapi-specs.acknowledgeEvents',
      'content.describeSpaces',
      'content.createSpaceOfSite',
      'content.checkReferences',
      'content.findPages',
      'content.searchSpaces',
      'content.resolvePreview',
      'identity.resolveToken',
      'identity.listMemberships',
      'identity.describePeople',
    ],
    subscribes: ['events.publishing.>'],
    consumes: ['EVENTS'],
  },
  'openapi-specs': {
    serves: true,
    publishes: true,
    calls: ['content.showsSpecification'],
  },
  'git-worker': {
    serves: true,
    calls: [
      'content.acknowledgeEvents',
      'content.findGitSpace',
      'content.showGitRepository',
      'content.listKnownGitBlobs',
      'content.snapshotRevision',
      'content.applyGitOperation',
      'content.handOverGit',
      'identity.describePeople',
    ],
    dispatches: ['jobs.git.>'],
    consumes: ['EVENTS', 'JOBS'],
  },
} as const

/** A service of the platform. */
export type ServiceName = keyof typeof services
