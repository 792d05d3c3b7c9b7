const noTranslation = 'A translation makes a space of its own: nothing is computed from it, and a value is refused'

/** Fields of bodies of the published API that Recto does not read, by the operation, each with the reason; `names` are their last names. */
export const absentBodyFields: readonly { reason: string; operation: string; names: readonly string[] }[] = [
  {
    reason: 'Nothing is kept of who causes an event on a site, from where, and what a link leads to',
    operation: 'aggregateSiteEvents',
    // prettier-ignore
    names: [
      'claim', 'precision', 'anchor', 'bad', 'collection', 'file', 'good', 'h3', 'kind', 'latitude', 'longitude', 'negative',
      'ok', 'positive', 'reusableContent', 'spec', 'tag', 'url', 'user',
    ],
  },
  { reason: noTranslation, operation: 'createSpace', names: ['ref', 'value'] },
  { reason: noTranslation, operation: 'getComputedDocument', names: ['ref', 'value'] },
  { reason: noTranslation, operation: 'getComputedRevision', names: ['ref', 'value'] },
  { reason: 'Recto has no style guides', operation: 'updateSiteById', names: ['styleguide'] },
]

const notCounted = 'Events are counted by day, type, space, page and one detail, and nothing is kept of who causes them'
const noTags = 'A tag is a label of pages and updates of its space, and no link leads to it'

/** Enumerated values of the published API that Recto refuses, each with the reason; `fields` are `operationId.path`, with `*` for any text. */
export const absentValues: readonly { reason: string; fields: readonly string[]; values: readonly string[] }[] = [
  {
    reason: notCounted,
    fields: ['aggregateSiteEvents.*.column'],
    // prettier-ignore
    values: [
      'askResponseRating', 'displayContext', 'eventAPIOperationMethod', 'eventAPIOperationPath', 'eventAdDomain',
      'eventAdPlacement', 'eventAskResponseRating', 'eventLinkTargetDomain', 'eventLinkTargetKind', 'eventLinkTargetValue',
      'eventPageNotFoundType', 'eventSearchResultRecordId', 'eventTrademarkPlacement', 'hourOfDay', 'pageFeedbackRating',
      'referrer', 'referrerDomain', 'sessionsCount', 'siteSection', 'siteShareKey', 'url', 'urlPath', 'utmCampaign',
      'utmContent', 'utmMedium', 'utmSource', 'utmTerm', 'visitorAuthenticated', 'visitorBot', 'visitorBrowser',
      'visitorClaim', 'visitorClaimProperty', 'visitorDevice', 'visitorGeoCountry', 'visitorGeoPoint', 'visitorLanguage',
      'visitorOS', 'visitorsCount',
    ],
  },
  { reason: notCounted, fields: ['aggregateSiteEvents.*.interval'], values: ['hour'] },
  {
    reason: 'The `range` of a query filters by time, and its `order` and `limit` by number',
    fields: ['aggregateSiteEvents.where[].*'],
    values: ['datetime', 'eventsCount', 'greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual'],
  },
  { reason: noTags, fields: ['*.contentRefs{}.kind'], values: ['tag'] },
  {
    reason: noTranslation,
    fields: ['createSpace.computedSource.type', '*.source.type'],
    values: ['builtin:translation'],
  },
  {
    reason: 'Recto has no integration platform',
    fields: ['updateSitePublishingAuthById.backend'],
    values: ['integration'],
  },
]

/** Fields of published replies that Recto never has, by the name of the published schema, with the reason. */
export const absentFields: readonly { reason: string; fields: readonly string[] }[] = [
  {
    reason: 'Recto has no context connections, records, scans, findings and topics',
    fields: [
      'ChangeRequest.siteTopic',
      'SearchAIAnswerSourceRecord.record',
      'SearchAIAnswerSourceRecord.site',
      'SearchAIAnswerSourceRecord.title',
      'SearchAIAnswerSourceRecord.url',
      'SearchRecordResult.description',
      'SearchRecordResult.url',
      'Site.lastScanAt',
    ],
  },
  { reason: 'An answer names its sources, and not how it uses them', fields: ['SearchAIAnswerSourcePage.reason'] },
  { reason: 'Recto has no style guides', fields: ['ChangeRequest.styleguide', 'Site.styleguide', 'Space.type'] },
  { reason: 'Recto has no connectors of tickets', fields: ['ChangeRequestLink.expanded'] },
  { reason: 'Recto asks people to review, and no teams', fields: ['ChangeRequestRequestedReviewer.team'] },
  {
    reason: 'They are of the inside of another server',
    fields: ['Space.internal_poweredByV2', 'Space.internal_singleWebsocket'],
  },
  {
    reason: noTags,
    fields: ['ContentRefTag.space', 'ContentRefTag.tag'],
  },
  {
    reason: 'A computed page of one operation is one of operations, since 0.143.2 knows no other',
    fields: [
      'ComputedContentSourceDocumentOpenAPI.props.deprecated',
      'ComputedContentSourceDocumentOpenAPI.props.method',
    ],
  },
  {
    reason: 'Computed pages refer to their specification, and do not link to its text',
    fields: ['ComputedContentDependencyOpenAPI.value', 'ComputedContentSourceRevisionOpenAPI.props.downloadLink'],
  },
  {
    reason: 'A translation is a space with pages of its own, and nothing else is computed from it',
    fields: [
      'ComputedContentSourceDocumentTranslation.dependencies.translation',
      'ComputedContentSourceDocumentTranslation.props.document',
      'ComputedContentSourceDocumentTranslation.props.space',
      'ComputedContentSourceRevisionTranslation.dependencies.translation',
      'RevisionReusableContent.computed',
      'RevisionReusableContent.computedSeed',
    ],
  },
  {
    reason: 'A synchronisation has a URL and credentials of its own, and no installation',
    fields: ['GitSyncState.operation.errorAction', 'GitSyncState.parentInstallationId'],
  },
  { reason: 'A site has no repository: its spaces have', fields: ['Site.gitSync'] },
  {
    reason: 'Redirects are changed all or none: a fault is the reply, not one of the results',
    fields: ['.results[].error'],
  },
]
