import type { ApplySpaceTemplate } from '@recto/contracts'
import { fieldFault } from '@recto/operation'
import type { z } from 'zod'
import { readableSpace } from '../hierarchy/spaces/readable-space.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import type { Context } from '../shared/context.ts'
import * as revisions from '../store/revisions/revisions.repository.ts'
import type { TemplateLinks } from './templates.rules.ts'

type References = z.output<typeof ApplySpaceTemplate>['params']['contentRefs']
type Reference = References[string]

/** The URLs of references; throws `not_found`, with its field, for a space or page that is missing or that the caller may not read. */
export async function templateLinks(
  references: References,
  context: Context,
  { spaceId, field }: { spaceId: string | undefined; field: string },
): Promise<TemplateLinks> {
  const links: TemplateLinks = {}
  for (const [name, reference] of Object.entries(references))
    links[name] = await urlOf(reference, context, { spaceId, field: `${field}.${name}` })
  return links
}

async function urlOf(
  reference: Reference,
  context: Context,
  { spaceId, field }: { spaceId: string | undefined; field: string },
): Promise<string> {
  if (reference.kind === 'url') return reference.url
  const id = reference.space ?? spaceId
  const space = id === undefined ? undefined : (await readableSpace(context, id).catch(() => undefined))?.space
  if (!space) throw fieldFault(`${field}.space`, 'is no space that you can read', 'not_found')
  const url = `${context.publicUrl}/s/${space.id}`
  if (reference.kind === 'space') return url
  const revision = await revisions.find(context.db, space.revision)
  const page = revision && (await loadPageIndex(context.db, revision)).get(reference.page)
  if (!page) throw fieldFault(`${field}.page`, 'is no page of the space', 'not_found')
  const anchor = reference.kind === 'anchor' ? `#${encodeURIComponent(reference.anchor)}` : ''
  return `${url}/~/pages/${page.id}${anchor}`
}
