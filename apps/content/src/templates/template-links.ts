import type { ApplySpaceTemplate } from '@recto/contracts-shared'
import { fieldFault, toFailure } from '@recto/operation'
import type { z } from 'zod'
import { readableCollection } from '../collections/readable-collection.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import { loadFileIndex, loadReusableContents } from '../pages/revision-index.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import { writeTarget } from '../pages/write-target.ts'
import type { Context } from '../shared/context.ts'
import { requireUsers } from '../users/users.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import type { TemplateLinks } from './templates.rules.ts'

type References = z.output<typeof ApplySpaceTemplate>['params']['contentRefs']
type Reference = References[string]
type ReferenceOf<Kind extends Reference['kind']> = Extract<Reference, { kind: Kind }>

/** The place of a template: a space of an organization, existing or to be created, and the field of the request that has the references. */
export interface TemplatePlace {
  organization: string
  spaceId: string | undefined
  field: string
}

/** The URLs of references; throws `not_found`, with its field, for a target that is missing or that the caller may not read. */
export async function templateLinks(
  references: References,
  context: Context,
  place: TemplatePlace,
): Promise<TemplateLinks> {
  const links: TemplateLinks = {}
  for (const [name, reference] of Object.entries(references)) {
    const target = await requireTarget(reference, context, { ...place, field: `${place.field}.${name}` })
    links[name] = urlOf(target, context)
  }
  return links
}

/** Whether the caller sees what a reference leads to. */
export async function isTargetThere(reference: Reference, context: Context, organization: string): Promise<boolean> {
  try {
    await requireTarget(reference, context, { organization, spaceId: undefined, field: 'target' })
    return true
  } catch (error) {
    if (toFailure(error).code !== 'not_found') throw error
    return false
  }
}

/** A reference whose target exists, with the space that it is in. */
async function requireTarget(reference: Reference, context: Context, place: TemplatePlace): Promise<Reference> {
  const { field, organization } = place
  switch (reference.kind) {
    case 'url':
      return reference
    case 'user':
      await requireUsers(context, organization, [{ path: `${field}.user`, user: reference.user }])
      return reference
    case 'collection':
      await orMissing(readableCollection(context, reference.collection), `${field}.collection`, 'collection')
      return reference
    case 'openapi':
      return requireSpecification(reference, context, place)
    case 'space':
      await orMissing(readableSpace(context, reference.space), `${field}.space`, 'space')
      return reference
    default:
      return requireRecord(reference, context, place)
  }
}

/** A target that the caller can read; throws `not_found` with the field, whatever hides it. */
async function orMissing<Target>(target: Promise<Target>, field: string, noun: string): Promise<Target> {
  try {
    return await target
  } catch (error) {
    const { code } = toFailure(error)
    if (code !== 'not_found' && code !== 'forbidden') throw error
    throw fieldFault(field, `is no ${noun} that you can read`, 'not_found')
  }
}

async function requireSpecification(
  reference: ReferenceOf<'openapi'>,
  { actor, specs }: Context,
  { organization, field }: TemplatePlace,
): Promise<Reference> {
  const description = await specs.describeSpecs({ body: { actor, organization, slugs: [reference.spec] } })
  if (description.specs.length === 0)
    throw fieldFault(`${field}.spec`, 'is no specification that you can read', 'not_found')
  return reference
}

/** Requires a target in the content of a space: a page, a place in it, a file or a reusable content. */
async function requireRecord(
  reference: ReferenceOf<'page' | 'anchor' | 'file' | 'reusable-content'>,
  context: Context,
  { spaceId, field }: TemplatePlace,
): Promise<Reference> {
  const id = reference.space ?? spaceId
  if (id === undefined) throw fieldFault(`${field}.space`, 'is no space that you can read', 'not_found')
  const { space } = await orMissing(readableSpace(context, id), `${field}.space`, 'space')
  const revision = await revisions.get(context.db, space.revision)
  const [name, isThere] = await lookUp(reference, revision, context)
  if (!isThere) throw fieldFault(`${field}.${name}`, 'is not in the content of the space', 'not_found')
  return { ...reference, space: space.id }
}

/** The field that names the target of a reference, and whether the revision has it. */
async function lookUp(
  reference: ReferenceOf<'page' | 'anchor' | 'file' | 'reusable-content'>,
  revision: RevisionRow,
  { db }: Context,
): Promise<[field: string, isThere: boolean]> {
  if (reference.kind === 'file')
    return ['file', (await loadFileIndex(db, revision.filesRoot)).get(reference.file) !== undefined]
  if (reference.kind === 'reusable-content') {
    const all = await loadReusableContents(db, revision.reusableRoot)
    return ['reusableContent', all.some(({ id }) => id === reference.reusableContent)]
  }
  return ['page', (await loadShownPages(db, revision)).get(reference.page) !== undefined]
}

/** URLs keep ids, so that links stay right wherever the pages of the template are placed. */
function urlOf(reference: Reference, { publicUrl }: Context): string {
  if (reference.kind === 'url') return reference.url
  const nothing = () => undefined
  return writeTarget(reference, {
    file: '',
    spaceId: '',
    publicUrl,
    page: nothing,
    fileById: nothing,
    reusable: nothing,
  })
}
