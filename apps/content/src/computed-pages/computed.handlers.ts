import { downloadIssuedFor } from '@recto/actor/site-version'
import { computed } from '@recto/contracts-content'
import { decodeEntities, withReferences, withSeed, type JSONDocument } from '@recto/markdown'
import { Failure, feature, fromView, type Input } from '@recto/operation'
import { readsSpecifications } from './specifications.policy.ts'
import * as specifications from './specifications.repository.ts'
import { visiblePages } from '../audience/visible-pages.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import type { SpecOutline } from './computed-text.rules.ts'
import { computedText, computePages } from './computed-pages.rules.ts'
import { documentOf, emptyDocument } from '../documents/documents.ts'
import { indexPages } from '../pages/page-tree.ts'
import { presentTree } from '../pages/present-page.ts'
import { isComputedFrom, withComputed } from '../pages/shown-pages.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { newDocument } from '../content-store/new-document.ts'
import type { PageRecord } from '../revisions/records.ts'
import * as revisions from '../revisions/revisions.repository.ts'

export const computedFeature = feature<BaseContext>()(computed, {
  getComputedDocument: fromView(readSpec, async ({ spec, outline }, { body }: DocumentInput, context) => {
    const { source, seed } = body
    const text = computedText(spec, outline, source.props)
    if (text === undefined) throw new Failure('not_found', `The specification ${spec} has no such page`)
    return withSeed(await documentOfText(text, context), seed)
  }),

  getComputedRevision: fromView(readSpec, async ({ spec, outline, version }, input: RevisionInput, context) => {
    const { spaceId } = input.params
    const { source, seed } = input.body
    const { models } = source.props
    const grouping = source.props.grouping === 'by-operation' ? source.props.grouping : undefined
    const now = new Date().toISOString()
    const page: PageRecord = {
      id: JSON.stringify([spec, seed]),
      type: 'computed',
      title: spec,
      parent: null,
      order: 'a0',
      computed: source,
      createdAt: now,
      updatedAt: now,
    }
    const { records } = computePages({ spaceId, page: page.id, spec, models, grouping, outline })
    const index = withComputed(indexPages([page]), [{ type: 'source', id: page.id, spec, models, version }, ...records])
    const { publicUrl, signingSecret, actor } = context
    const issuedFor = downloadIssuedFor(actor.visitor)
    const presentation = { spaceId, publicUrl, signingSecret, issuedFor, metadata: false, variables: !actor.visitor }
    return { pages: await presentTree(index, presentation), files: [], reusableContents: [] }
  }),
})

type DocumentInput = Input<typeof computed.getComputedDocument>
type RevisionInput = Input<typeof computed.getComputedRevision>

/** Reads the specification that a source names; throws `not_found` when the caller may not see it. */
async function readSpec({ params, body: { source } }: DocumentInput | RevisionInput, context: Context) {
  const { space } = await readableSpace(context, params.spaceId)
  const { spec } = source.dependencies.spec.ref
  const { outline, version } = await readableSpec(space, spec, context)
  return { spec, outline, version }
}

/** Reads a specification for those who read all of its organization, and for callers who see pages of the space that are computed from it. */
async function readableSpec(
  space: SpaceRow,
  spec: string,
  context: Context,
): Promise<{ outline: SpecOutline; version: string }> {
  const organization = space.organizationId
  const isReadable = readsSpecifications(context.actor, organization) || (await isComputedIn(space, spec, context))
  const [existing] = isReadable ? await specifications.findAll(context.db, organization, [spec]) : []
  const fetched = isReadable && !existing ? await fetchLastVersion(organization, spec, context) : undefined
  const specification = existing ?? fetched
  if (!specification) throw new Failure('not_found', `There is no specification ${spec}`)
  return specification
}

/** Fetches a specification that no page has named yet, so that it is not recorded here. */
async function fetchLastVersion(organization: string, spec: string, { specs }: Context) {
  const { versions } = await specs.describeVersions({ body: { organization, slugs: [spec] } })
  return versions[0]
}

async function isComputedIn({ revision: id }: SpaceRow, spec: string, context: Context): Promise<boolean> {
  const revision = await revisions.get(context.db, id)
  return isComputedFrom(await visiblePages(context, revision), spec)
}

async function documentOfText(text: string, { markdown }: Context): Promise<JSONDocument> {
  if (text === '') return emptyDocument()
  const document = await documentOf(markdown, newDocument(text))
  return withReferences(document, (target, kind) =>
    kind === 'openapi' ? { kind, spec: target } : { kind: 'url', url: decodeEntities(target) },
  )
}
