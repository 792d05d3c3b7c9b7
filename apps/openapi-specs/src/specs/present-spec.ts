import type { OpenAPISpec } from '@recto/contracts-shared'
import type { Role } from '@recto/actor'
import type { z } from 'zod'
import { canEditSpecs, sourceViewOf } from './specs.policy.ts'
import { shownSource, withoutUrlSecrets } from './sources.rules.ts'
import { errorCountOf } from './specs.rules.ts'
import type { SpecError, SpecRow } from './spec.entity.ts'

/** A specification as the API shows it to a member. */
export function presentSpec(
  spec: SpecRow,
  { role, publicUrl }: { role: Role | null; publicUrl: string },
): z.input<typeof OpenAPISpec> {
  const published = publishedUrlOf(spec, publicUrl)
  const source = shownSource(spec.sourceUrl, sourceViewOf(role))
  return {
    object: 'openapi-spec',
    id: spec.id,
    createdAt: spec.createdAt.toISOString(),
    updatedAt: spec.updatedAt.toISOString(),
    slug: spec.slug,
    ...(source !== null && { sourceURL: source }),
    processingState: spec.state,
    visibility: spec.visibility,
    ...(spec.lastVersion !== null && { lastVersion: spec.lastVersion }),
    ...(spec.processedAt && { lastProcessedAt: spec.processedAt.toISOString() }),
    ...(spec.errorCode !== null && { lastProcessErrorCode: spec.errorCode, lastProcessedErrors: shownErrors(spec) }),
    lastProcessedErrorCount: errorCountOf(spec),
    permissions: { view: true, edit: canEditSpecs(role) },
    urls: {
      location: locationOf(spec, publicUrl),
      app: `${publicUrl}/o/${spec.organizationId}/openapi/${spec.slug}`,
      ...(published !== undefined && { published }),
    },
  }
}

function shownErrors({ errors }: SpecRow): SpecError[] {
  return errors.map(error => ({ ...error, message: withoutUrlSecrets(error.message) }))
}

/** Where anybody can download the last version of a public specification; undefined for a private one. */
export function publishedUrlOf(spec: SpecRow, publicUrl: string): string | undefined {
  return spec.visibility === 'public' ? `${locationOf(spec, publicUrl)}/published.json` : undefined
}

/** Where the API has a specification. */
export function locationOf({ organizationId, slug }: SpecRow, publicUrl: string): string {
  return `${publicUrl}/v1/orgs/${organizationId}/openapi/${slug}`
}
