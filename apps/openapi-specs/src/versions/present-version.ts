import type { OpenAPISpecVersion } from '@recto/contracts-openapi-specs'
import type { z } from 'zod'
import { locationOf } from '../specs/present-spec.ts'
import { shownSource, type SourceView } from '../specs/sources.rules.ts'
import type { SpecRow } from '../specs/spec.entity.ts'
import type { VersionRow } from './version.entity.ts'
import { sourceOf } from './version-source.rules.ts'

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
