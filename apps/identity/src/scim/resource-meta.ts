import { createHash } from 'node:crypto'
import { entityTag } from '@recto/bus'
import { scimProtocol } from '@recto/contracts-identity'

/** The URL of a resource. */
export function locationOf(publicUrl: string, kind: 'Users' | 'Groups', id: string): string {
  return `${publicUrl}${scimProtocol.base}/${kind}/${id}`
}

/** The opaque tag of a resource: the hash of all that clients read of it. */
export function versionOf(resource: unknown): string {
  return createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)
}

/** A resource as its metadata describes it. */
interface DescribedResource {
  resourceType: 'User' | 'Group'
  location: string
  version: string
  created: Date
  /** When a client changed it; null where none has. */
  changed: Date | null
}

/** The metadata of a resource (RFC 7643, section 3.1). */
export function metaOf({ resourceType, location, version, created, changed }: DescribedResource) {
  return {
    resourceType,
    created: created.toISOString(),
    lastModified: (changed ?? created).toISOString(),
    location,
    version: entityTag(version, { isWeak: true }),
  }
}
