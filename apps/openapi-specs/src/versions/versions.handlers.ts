import { roleBeyondResources } from '@recto/actor'
import { openApiSpecVersions, publicOpenApiSpecs } from '@recto/contracts-openapi-specs'
import { Failure, feature, fromView, type Input, jsonText } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { presentVersion, versionUrl, type VersionViewer } from './present-version.ts'
import { publishedUrlOf } from '../specs/present-spec.ts'
import type { SpecRow } from '../specs/spec.entity.ts'
import { canViewSpecs, noSuchSpec, requireRoleOnSpec, sourceViewOf } from '../specs/specs.policy.ts'
import * as specs from '../specs/specs.repository.ts'
import { isShownTo } from '../specs/shown-specs.ts'
import * as repository from './versions.repository.ts'
import type { VersionRow } from './version.entity.ts'

export const versionFeature = feature<BaseContext>()(openApiSpecVersions, {
  async listOpenAPISpecVersions({ params, query }, context) {
    const spec = await readableSpec(context, params)
    const page = await repository.list(context.db, spec.id, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(version => presentVersion(version, spec, viewerOf(spec, context))) }
  },

  async getLatestOpenAPISpecVersion({ params }, context) {
    const spec = await readableSpec(context, params)
    return presentVersion(await versionOf(context, spec, spec.lastVersion), spec, viewerOf(spec, context))
  },

  getLatestOpenAPISpecVersionContent: fromView(openSpec, async (spec, _input, context: Context) =>
    contentOf(await versionOf(context, spec, spec.lastVersion), spec, context),
  ),

  async getLatestOpenAPISpecVersionContentRaw({ params }, context) {
    // Comments of the text are for members: visitors read what pages show of it.
    const spec = await specOfMember(context, params)
    const { id, rawHash, rawFormat } = await versionOf(context, spec, spec.lastVersion)
    if (rawHash === null || rawFormat === null) throw new Failure('not_found', 'The text of the version was not kept')
    context.setETag(`${id}-raw`)
    return { text: Buffer.from(await context.contents.bytes(rawHash)).toString(), format: rawFormat }
  },

  async getOpenAPISpecVersionById({ params }, context) {
    const spec = await readableSpec(context, params)
    return presentVersion(await versionOf(context, spec, params.versionId), spec, viewerOf(spec, context))
  },

  getOpenAPISpecVersionContentById: fromView(openSpec, async (spec, { params }: VersionInput, context) => {
    // Pages show the last version: a private one from before may have content that was taken out.
    const isPast = spec.visibility === 'private' && params.versionId !== spec.lastVersion
    if (context.actor.visitor && isPast) throw new Failure('not_found', 'There is no such version of the specification')
    return contentOf(await versionOf(context, spec, params.versionId), spec, context)
  }),
})

type VersionInput = Input<typeof openApiSpecVersions.getOpenAPISpecVersionContentById>

/** A specification as far as the caller sees it. Throws as `readableSpec` does. */
function openSpec({ params }: { params: specs.SpecName }, context: Context): Promise<SpecRow> {
  return readableSpec(context, params)
}

export const publicSpecFeature = feature<BaseContext>()(publicOpenApiSpecs, {
  async downloadOpenAPISpec({ params }, context) {
    const { hash } = await publicVersion(context, params)
    return documentOf(hash, context)
  },

  async downloadOpenAPISpecAsYaml({ params }, context) {
    const { hash } = await publicVersion(context, params)
    return context.yamlOf(hash)
  },
})

/** A specification that the caller may read as a member of its organization. */
async function specOfMember({ actor, db }: Context, name: specs.SpecName): Promise<SpecRow> {
  requireRoleOnSpec(actor, name.organizationId, canViewSpecs)
  return specs.get(db, name)
}

/** A specification that the caller may read: as a member of its organization, or as a visitor of a site of it where it is public, or shown. */
async function readableSpec(context: Context, name: specs.SpecName): Promise<SpecRow> {
  const { visitor } = context.actor
  if (!visitor) return specOfMember(context, name)
  const spec = visitor.organization === name.organizationId ? await specs.find(context.db, name) : undefined
  if (!spec || !(await isShownTo(visitor, spec, context))) throw noSuchSpec()
  return spec
}

function versionOf({ db }: Context, { id: specId }: SpecRow, id: string | null): Promise<VersionRow> {
  return repository.get(db, { specId, id })
}

async function contentOf(version: VersionRow, spec: SpecRow, context: Context) {
  const viewer = viewerOf(spec, context)
  context.setETag(`${version.id}-${viewer.view}-${spec.visibility}`)
  const url = versionUrl(version, spec, viewer)
  const urls = { source: url, public: publishedUrlOf(spec, viewer.publicUrl) ?? null }
  return { filesystem: await documentOf(version.hash, context), url, urls }
}

function viewerOf({ organizationId }: SpecRow, { actor, publicUrl }: Context): VersionViewer {
  const role = roleBeyondResources(actor, organizationId)
  return { view: actor.visitor ? 'none' : sourceViewOf(role), publicUrl }
}

async function publicVersion(context: BaseContext, name: specs.SpecName): Promise<VersionRow> {
  const spec = await specs.find(context.db, name)
  if (spec?.visibility !== 'public') throw new Failure('not_found', 'There is no such public specification')
  const version = await repository.get(context.db, { specId: spec.id, id: spec.lastVersion })
  context.setETag(version.id)
  return version
}

async function documentOf(hash: string, { contents }: BaseContext): Promise<Record<string, unknown>> {
  return jsonText(await contents.bytes(hash))
}
