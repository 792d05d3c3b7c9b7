import { recordedCall, recordedOnce, type RecordedCall } from '@recto/testing'
import { fields, longer, needle, url, type RecordedSite } from './recorded-site.ts'

/** Calls that change the spaces of a site, and what they record. */
export function siteSpaceCalls({ id, params, at, ada, space, keep }: RecordedSite): RecordedCall[] {
  return [
    recordedCall(
      'addSpaceToSite',
      'a space',
      () => keep('siteSpace', ada().addSpaceToSite({ params: params(), body: { spaceId: space() } })),
      ['site.space.added', 'site siteSpace'],
    ),
    ...recordedOnce(
      'updateSiteSpaceById',
      () => ada().updateSiteSpaceById({ params: at('siteSpace'), body: { title: needle } }),
      ['site.space.updated', 'site siteSpace', fields('title')],
    ),
    recordedCall(
      'moveSiteSpace',
      'a space to the front',
      async () => {
        const [first] = (await ada().listSiteSpaces({ params: params() })).items
        const position = { before: { type: 'site-space', siteSpace: first?.id ?? '' } }
        await ada().moveSiteSpace({ params: at('siteSpace'), body: { position } as never })
      },
      ['site.space.updated', 'site siteSpace', fields('position')],
    ),
    recordedCall(
      'duplicateSiteSpace',
      'a space',
      () => keep('copy', ada().duplicateSiteSpace({ params: at('siteSpace'), body: { draft: true } })),
      ['site.space.added', 'site siteSpace:copy'],
    ),
    ...recordedOnce(
      'deleteSiteSpaceById',
      () => ada().deleteSiteSpaceById({ params: { ...params(), siteSpaceId: id('copy') } }),
      ['site.space.removed', 'site siteSpace:copy'],
    ),
  ]
}

/** Calls that add sections and groups, and what they record. */
export function sectionCalls({ ids, id, params, at, ada, space, keep }: RecordedSite): RecordedCall[] {
  return [
    recordedCall(
      'addSectionToSite',
      'a section, beside that of the spaces before',
      async () => {
        await keep('siteSection', ada().addSectionToSite({ params: params(), body: { spaceId: space() } }))
        const { structure } = await ada().getSiteStructure({ params: params() })
        const of = (at: number) => structure[at] as { id: string; siteSpaces: { id: string }[] }
        Object.assign(ids, { first: of(0).id, own: of(1).siteSpaces[0]?.id })
        const others = of(0).siteSpaces.map(siteSpace => siteSpace.id)
        ids['other'] = others.find(one => one !== id('siteSpace')) ?? ''
      },
      ['site.section.added', 'site siteSection:first'],
      ['site.section.added', 'site siteSection'],
      ['site.space.updated', 'site siteSpace:other', fields('sectionId')],
      ['site.space.updated', 'site siteSpace', fields('sectionId')],
      ['site.space.added', 'site siteSpace:own'],
    ),
    ...recordedOnce(
      'updateSiteSectionById',
      () => ada().updateSiteSectionById({ params: at('siteSection'), body: { description: needle } }),
      ['site.section.updated', 'site siteSection', fields('description')],
    ),
    recordedCall(
      'addSectionGroupToSite',
      'a group',
      () =>
        keep('siteSectionGroup', ada().addSectionGroupToSite({ params: params(), body: { title: needle } as never })),
      ['site.section-group.added', 'site siteSectionGroup'],
    ),
    ...recordedOnce(
      'updateSiteSectionGroupById',
      () => ada().updateSiteSectionGroupById({ params: at('siteSectionGroup'), body: { title: longer } }),
      ['site.section-group.updated', 'site siteSectionGroup', fields('title')],
    ),
  ]
}

/** Calls that move sections and groups, and what they record. */
export function movingCalls({ id, params, at, ada }: RecordedSite): RecordedCall[] {
  return [
    recordedCall(
      'addSectionToGroup',
      'a section',
      () => ada().addSectionToGroup({ params: at('siteSectionGroup'), body: { sectionId: id('siteSection') } }),
      ['site.section.updated', 'site siteSection', fields('groupId', 'position')],
    ),
    recordedCall(
      'removeSectionFromGroup',
      'a section',
      () =>
        ada().removeSectionFromGroup({
          params: { ...at<object>('siteSectionGroup'), ...at<object>('siteSection') } as never,
        }),
      ['site.section.updated', 'site siteSection', fields('groupId', 'position')],
    ),
    recordedCall(
      'moveSiteSection',
      'a section to the front',
      () =>
        ada().moveSiteSection({
          params: at('siteSection'),
          body: { position: { before: { type: 'site-section', siteSection: id('first') } } } as never,
        }),
      ['site.section.updated', 'site siteSection', fields('position')],
    ),
    recordedCall(
      'moveSiteSectionGroup',
      'a group to the front',
      () =>
        ada().moveSiteSectionGroup({
          params: at('siteSectionGroup'),
          body: { position: { before: { type: 'site-section', id: id('siteSection') } } } as never,
        }),
      ['site.section-group.updated', 'site siteSectionGroup', fields('position')],
    ),
    recordedCall(
      'sortSiteStructure',
      'a section to the end',
      () =>
        ada().sortSiteStructure({
          params: params(),
          body: {
            item: { type: 'site-section', id: id('siteSection') },
            position: { after: { type: 'site-section', id: id('first') } },
          } as never,
        }),
      ['site.section.updated', 'site siteSection', fields('position')],
    ),
  ]
}

/** Calls that change links of the navigation and remove what is there, and what they record. */
export function linkCalls({ params, at, ada, keep }: RecordedSite): RecordedCall[] {
  return [
    recordedCall(
      'addExternalLinkToSite',
      'a link',
      () => keep('siteExternalLink', ada().addExternalLinkToSite({ params: params(), body: { title: needle, url } })),
      ['site.external-link.added', 'site siteExternalLink'],
    ),
    ...recordedOnce(
      'updateSiteExternalLinkById',
      () => ada().updateSiteExternalLinkById({ params: at('siteExternalLink'), body: { url: `${url}2` } }),
      ['site.external-link.updated', 'site siteExternalLink', fields('url')],
    ),
    ...recordedOnce(
      'deleteSiteExternalLinkById',
      () => ada().deleteSiteExternalLinkById({ params: at('siteExternalLink') }),
      ['site.external-link.removed', 'site siteExternalLink'],
    ),
    ...recordedOnce(
      'deleteSiteSectionGroupById',
      () => ada().deleteSiteSectionGroupById({ params: at('siteSectionGroup') }),
      ['site.section-group.removed', 'site siteSectionGroup'],
    ),
    ...recordedOnce(
      'deleteSiteSectionById',
      () => ada().deleteSiteSectionById({ params: at('siteSection') }),
      ['site.section.removed', 'site siteSection'],
      ['site.space.removed', 'site siteSpace:own'],
    ),
  ]
}
