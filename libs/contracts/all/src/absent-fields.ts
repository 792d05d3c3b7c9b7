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
]
