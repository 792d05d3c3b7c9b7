import { serviceEntities, type DatabaseLimits, type DatabaseOptions } from '@recto/database'
import { CreateOpenApiSpecs1764600000000 } from './migrations/1764600000000-create-openapi-specs.ts'
import { Outlines1764700000000 } from './migrations/1764700000000-outlines.ts'
import { Leases1764800000000 } from './migrations/1764800000000-leases.ts'
import { WakeTriggers1765300000000 } from './migrations/1765300000000-wake-triggers.ts'
import { RawContents1766100000000 } from './migrations/1766100000000-raw-contents.ts'
import { VersionSources1765800000000 } from './migrations/1765800000000-version-sources.ts'
import { RecordedChanges1766900000000 } from './migrations/1766900000000-recorded-changes.ts'
import { SpecEntity } from './specs/spec.entity.ts'
import { SpecTextEntity } from './specs/spec-text.entity.ts'
import { UnusedContentEntity } from './versions/unused-content.entity.ts'
import { VersionEntity } from './versions/version.entity.ts'

/** Entities and migrations of the database of specifications. */
export function specificationDatabase(url: string, limits: DatabaseLimits = {}): DatabaseOptions {
  return {
    url,
    ...limits,
    entities: [SpecEntity, SpecTextEntity, VersionEntity, UnusedContentEntity, ...serviceEntities],
    migrations: [
      CreateOpenApiSpecs1764600000000,
      Outlines1764700000000,
      Leases1764800000000,
      WakeTriggers1765300000000,
      VersionSources1765800000000,
      RawContents1766100000000,
      RecordedChanges1766900000000,
    ],
  }
}
