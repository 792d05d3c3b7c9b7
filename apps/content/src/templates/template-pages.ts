import type { ApplySpaceTemplate } from '@recto/contracts-shared'
import type { z } from 'zod'
import type { Context } from '../shared/context.ts'
import { templateLinks } from './template-links.ts'
import { readTemplate } from './templates.ts'

/** The pages of the template that `body.template` names, for a new space, which has no pages that its links could lead to. */
export async function templatePages(
  { id, params }: z.output<typeof ApplySpaceTemplate>,
  organization: string,
  context: Context,
) {
  const place = { organization, spaceId: undefined, field: 'body.template.params.contentRefs' }
  return readTemplate(context, { id, field: place.field }, await templateLinks(params.contentRefs, context, place))
}
