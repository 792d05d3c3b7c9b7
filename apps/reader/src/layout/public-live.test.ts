import { expect, it } from '@jest/globals'
import type { OpenedSite } from '../loaders/open-site.ts'
import { isPublicLive } from './site-request.ts'

const site = (visibility: string, lookup: object = {}, isPreview = false) =>
  ({ published: { site: { visibility } }, lookup, isPreview }) as unknown as OpenedSite

it.each<[string, OpenedSite, boolean]>([
  ['a public site', site('public'), true],
  ['an unlisted site', site('unlisted'), true],
  ['a site behind a secret link', site('share-link'), false],
  ['a site of visitors who log in', site('visitor-auth'), false],
  ['a preview', site('public', {}, true), false],
  ['a change request of a public site', site('public', { changeRequest: 'change' }), false],
  ['a revision of a public site', site('public', { revision: 'revision' }), false],
])('whether everybody may read %s as it is published', (_what, place, expected) => {
  expect(isPublicLive(place)).toBe(expected)
})
