import type { OpenAPISpec, OpenAPISpecVersion } from '@recto/contracts'
import type { Role } from '@recto/actor'
import type { z } from 'zod'
import { canEditSpecs, sourceViewOf } from './specs.policy.ts'
import { shownSource, sourceOf, withoutUrlSecrets, type SourceView } from './sources.rules.ts'
import type { SpecError, SpecRow } from './spec.entity.ts'
import type { VersionRow } from '../versions/version.entity.ts'

/** A specification as the API shows it to a member. */
export function presentSpec(
  spec: SpecRow,
  { role, publicUrl }: { role: Role | null; publicUrl: string },
): z.input<typeof OpenAPISpec> {
  const location = locationOf(spec, publicUrl)
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
    permissions: { view: true, edit: canEditSpecs(role) },
    urls: {
      location,
      app: `${publicUrl}/o/${spec.organizationId}/openapi/${spec.slug}`,
      ...(spec.visibility === 'public' && { published: `${location}/published.json` }),
    },
  }
}

function shownErrors({ errors }: SpecRow): SpecError[] {
  return errors.map(error => ({ ...error, message: withoutUrlSecrets(error.message) }))
}

/** Who sees a version. */
export interface VersionViewer {
  view: SourceView
  publicUrl: string
}

/** A version as the API shows it. */
export function presentVersion(
  version: VersionRow,
  spec: SpecRow,
  viewer: VersionViewer,
): z.input<typeof OpenAPISpecVersion> {
  const { publicUrl } = viewer
  const location = `${locationOf(spec, publicUrl)}/versions/${version.id}`
  return {
    object: 'openapi-spec-version',
    id: version.id,
    createdAt: version.createdAt.toISOString(),
    url: versionUrl(version, spec, viewer),
    urls: { location },
  }
}

/** The source of a version as its viewer may learn it; where its content can be read for a text, and for those who learn none. */
export function versionUrl(version: VersionRow, spec: SpecRow, { view, publicUrl }: VersionViewer): string {
  return shownSource(sourceOf(version, spec), view) ?? `${locationOf(spec, publicUrl)}/versions/${version.id}/content`
}

function locationOf({ organizationId, slug }: SpecRow, publicUrl: string): string {
  return `${publicUrl}/v1/orgs/${organizationId}/openapi/${slug}`
}
