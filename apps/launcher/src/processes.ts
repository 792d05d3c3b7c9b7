import { services, type ServiceName } from '@recto/contracts'
import { servicePermissions, type SubjectPermissions } from '@recto/bus'

/** Settings that not every process gets. */
export type Setting =
  'ADMIN_TOKEN' | 'BLOB_URL' | 'CACHE_DIR' | 'ENCRYPTION_KEY' | 'SAML_SIGNING_KEY' | 'SIGNING_SECRET'

/** A process of the platform: a new one is a row. */
export interface ProcessRow {
  /** The folder of its program, its NATS user and its log. */
  name: string
  /** It owns a database of its name, and migrates it at its start with `MIGRATE_AT_START=true`. */
  hasDatabase?: true
  /** It listens on PORT. */
  isEdge?: true
  gets: Setting[]
  subjects: SubjectPermissions
}

function subjects(name: ServiceName): SubjectPermissions {
  return servicePermissions(name, services[name])
}

/** In the order of starting; stopping goes the other way. */
export const processes: ProcessRow[] = [
  {
    name: 'identity',
    hasDatabase: true,
    gets: ['ADMIN_TOKEN', 'SAML_SIGNING_KEY', 'SIGNING_SECRET'],
    subjects: subjects('identity'),
  },
  {
    name: 'content',
    hasDatabase: true,
    gets: ['BLOB_URL', 'ENCRYPTION_KEY', 'SIGNING_SECRET'],
    subjects: subjects('content'),
  },
  { name: 'git-worker', gets: ['BLOB_URL', 'CACHE_DIR'], subjects: subjects('git-worker') },
  { name: 'gateway', isEdge: true, gets: ['BLOB_URL', 'SIGNING_SECRET'], subjects: subjects('gateway') },
]
