import { services, type ServiceName } from '@recto/contracts-shared'
import { servicePermissions, type SubjectPermissions } from '@recto/bus'

/** Settings that only some processes get. */
export type Setting =
  | 'ADMIN_TOKEN'
  | 'BLOB_URL'
  | 'CACHE_DIR'
  | 'ENCRYPTION_KEY'
  | 'READER_KEPT_FOLDER'
  | 'READER_SECRET'
  | 'EDGE_VARNISH_TOKEN'
  | 'EDGE_FASTLY_TOKEN'
  | 'EDGE_CLOUDFLARE_TOKEN'
  | 'EDGE_WEBHOOK_SECRET'
  | 'SAML_SIGNING_KEY'
  | 'SIGNING_SECRET'
  | 'ASK_ENGINE_KEY'
  | 'TRANSLATION_ENGINE_KEY'

/** A process of the platform. */
export interface ProcessRow {
  /** Names the folder of its program, its NATS user and its log. */
  name: string
  /** The process owns a database of the same name, and migrates it at its start with `MIGRATE_AT_START=true`. */
  hasDatabase?: true
  /** The process listens for callers from outside on the port of this setting. */
  portSetting?: 'PORT' | 'READER_PORT'
  /** The process serves its health routes on that port, too, instead of one of their own. */
  hasHealthOnPort?: true
  /** The process owns the blobs of this folder below BLOB_URL; '' is BLOB_URL itself. */
  blobs?: string
  settings: Setting[]
  /** The subjects that the process may publish and subscribe to; undefined for one that is not on the bus. */
  subjects?: SubjectPermissions
}

function subjects(name: ServiceName): SubjectPermissions {
  return servicePermissions(name, services[name])
}

/** All processes of the platform. */
export const processes: ProcessRow[] = [
  {
    name: 'identity',
    hasDatabase: true,
    settings: ['ADMIN_TOKEN', 'SAML_SIGNING_KEY', 'SIGNING_SECRET'],
    subjects: subjects('identity'),
  },
  {
    name: 'content',
    hasDatabase: true,
    blobs: '',
    settings: ['BLOB_URL', 'SIGNING_SECRET', 'ASK_ENGINE_KEY', 'TRANSLATION_ENGINE_KEY'],
    subjects: subjects('content'),
  },
  {
    name: 'publishing',
    hasDatabase: true,
    settings: [
      'READER_SECRET',
      'EDGE_VARNISH_TOKEN',
      'EDGE_FASTLY_TOKEN',
      'EDGE_CLOUDFLARE_TOKEN',
      'EDGE_WEBHOOK_SECRET',
      'SIGNING_SECRET',
    ],
    subjects: subjects('publishing'),
  },
  {
    name: 'openapi-specs',
    hasDatabase: true,
    blobs: 'openapi-specs',
    settings: ['BLOB_URL', 'SIGNING_SECRET'],
    subjects: subjects('openapi-specs'),
  },
  {
    name: 'git-worker',
    hasDatabase: true,
    settings: ['BLOB_URL', 'CACHE_DIR', 'ENCRYPTION_KEY', 'SIGNING_SECRET'],
    subjects: subjects('git-worker'),
  },
  {
    name: 'events',
    hasDatabase: true,
    settings: ['SIGNING_SECRET'],
    subjects: subjects('events'),
  },
  {
    name: 'gateway',
    portSetting: 'PORT',
    hasHealthOnPort: true,
    settings: ['BLOB_URL', 'SIGNING_SECRET'],
    subjects: subjects('gateway'),
  },
  { name: 'reader', portSetting: 'READER_PORT', settings: ['READER_KEPT_FOLDER', 'READER_SECRET'] },
]
