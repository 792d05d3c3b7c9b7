import { publishingEvents } from '@recto/contracts-publishing-bus'
import { implementEvents } from '@recto/service'
import { replacePublications } from './publications.repository.ts'

/** Records the publications of spaces. The first place counts when a site shows a space twice. */
export const siteEventHandlers = implementEvents<'content'>()(publishingEvents, {
  async siteChanged({ site, version, published, visibility, spaces, address }, { tx }) {
    const urls = new Map(spaces.toReversed().map(({ space, url }) => [space, url]))
    const publications = [...urls].map(([spaceId, url]) => ({ siteId: site, spaceId, visibility, url, address }))
    await replacePublications(tx, { site, version, spaces: published ? publications : [] })
  },

  async siteDeleted({ site, version }, { tx }) {
    await replacePublications(tx, { site, version, spaces: [] })
  },
})
