import { changeRequestLinks, links } from '@recto/contracts-content'
import { feature } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { referenceReaders } from './list-references.ts'
import { changeRequestReferences, mainReferences } from './references-view.ts'

const main = referenceReaders(mainReferences)
const changeRequest = referenceReaders(changeRequestReferences)

export const linkFeature = feature<BaseContext>()(links, {
  listSpaceLinks: ({ params, query }, context) => main.links(params, query, context),
  listPageLinksInSpace: ({ params, query }, context) => main.pageLinks(params, query, context),
  listSpacePageBacklinks: ({ params, query }, context) => main.pageBacklinks(params, query, context),
  listSpaceFileBacklinks: ({ params, query }, context) => main.fileBacklinks(params, query, context),
})

export const changeRequestLinkFeature = feature<BaseContext>()(changeRequestLinks, {
  listChangeRequestLinks: ({ params, query }, context) => changeRequest.links(params, query, context),
  listPageLinksInChangeRequest: ({ params, query }, context) => changeRequest.pageLinks(params, query, context),
  listChangeRequestPageBacklinks: ({ params, query }, context) => changeRequest.pageBacklinks(params, query, context),
  listChangeRequestFileBacklinks: ({ params, query }, context) => changeRequest.fileBacklinks(params, query, context),
})
