import { services, type ServiceName } from '@recto/contracts'
import { servicePermissions, type SubjectPermissions } from '@recto/bus'

/** Settings that only some processes get. */
export type Setting =
  | 'ADMIN_TOKEN'
  | 'BLOB_URL'
  | 'CACHE_DIR'
  | 'ENCRYPTION_KEY'
  | 'READER_SECRET'
  | 'SAML_SIGNING_KEY'
  | 'SIGNING_SECRET'
  | 'TRANSLATION_ENGINE_KEY'

/** A process of the platform. */
export interface ProcessRow {
  /** Names the folder of its program, its NATS user and its log. */
  name: string
  /** The process owns a database of the same name, and migrates it at its start with `MIGRATE_AT_START=true`. */
  hasDatabase?: true
  /** The process listens on PORT. */
  isEdge?: true
  /** The process owns the blobs of this folder below BLOB_URL; '' is BLOB_URL itself. */
  blobs?: string
  settings: Setting[]
  subjects: SubjectPermissions
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
    settings: ['BLOB_URL', 'ENCRYPTION_KEY', 'SIGNING_SECRET', 'TRANSLATION_ENGINE_KEY'],
    subjects: subjects('content'),
  },
  {
    name: 'publishing',
    hasDatabase: true,
    settings: ['READER_SECRET', 'SIGNING_SECRET'],
    subjects: subjects('publishing'),
  },
  {
    name: 'openapi-specs',
    hasDatabase: true,
    blobs: 'openapi-specs',
    settings: ['BLOB_URL', 'SIGNING_SECRET'],
    subjects: subjects('openapi-specs'),
  },
  { name: 'git-worker', settings: ['BLOB_URL', 'CACHE_DIR'], subjects: subjects('git-worker') },
  { name: 'gateway', isEdge: true, settings: ['BLOB_URL', 'SIGNING_SECRET'], subjects: subjects('gateway') },
]
