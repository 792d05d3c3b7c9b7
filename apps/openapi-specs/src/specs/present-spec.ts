import type { OpenAPISpec, OpenAPISpecVersion } from '@recto/contracts'
import type { Role } from '@recto/actor'
import type { z } from 'zod'
import { canEditSpecs } from './specs.policy.ts'
import type { SpecRow } from './spec.entity.ts'
import type { VersionRow } from './version.entity.ts'

/** A specification as the API shows it to a member. */
export function presentSpec(
  spec: SpecRow,
  { role, publicUrl }: { role: Role | null; publicUrl: string },
): z.input<typeof OpenAPISpec> {
  const location = locationOf(spec, publicUrl)
  return {
    object: 'openapi-spec',
    id: spec.id,
    createdAt: spec.createdAt.toISOString(),
    updatedAt: spec.updatedAt.toISOString(),
    slug: spec.slug,
    ...(spec.sourceUrl !== null && { sourceURL: spec.sourceUrl }),
    processingState: spec.state,
    visibility: spec.visibility,
    ...(spec.lastVersion !== null && { lastVersion: spec.lastVersion }),
    ...(spec.processedAt && { lastProcessedAt: spec.processedAt.toISOString() }),
    ...(spec.errorCode !== null && { lastProcessErrorCode: spec.errorCode, lastProcessedErrors: spec.errors }),
    permissions: { view: true, edit: canEditSpecs(role) },
    urls: {
      location,
      app: `${publicUrl}/o/${spec.organizationId}/openapi/${spec.slug}`,
      ...(spec.visibility === 'public' && { published: `${location}/published.json` }),
    },
  }
}

/** A version as the API shows it. */
export function presentVersion(
  version: VersionRow,
  spec: SpecRow,
  publicUrl: string,
): z.input<typeof OpenAPISpecVersion> {
  const location = `${locationOf(spec, publicUrl)}/versions/${version.id}`
  return {
    object: 'openapi-spec-version',
    id: version.id,
    createdAt: version.createdAt.toISOString(),
    url: sourceOf(version, spec, publicUrl),
    urls: { location },
  }
}

/** Where a version was read from; a text has no such place, so that it is where the version can be read. */
export function sourceOf({ id, url }: VersionRow, spec: SpecRow, publicUrl: string): string {
  return url === null ? `${locationOf(spec, publicUrl)}/versions/${id}/content` : url
}

function locationOf({ organizationId, slug }: SpecRow, publicUrl: string): string {
  return `${publicUrl}/v1/orgs/${organizationId}/openapi/${slug}`
}
