import { expect, it } from '@jest/globals'
import { startOf } from './default-site.ts'

it.each([
  ['Without preferences a site has sample pages and is public', undefined, true, 'public'],
  ['A site that starts from a template has sample pages', { source: 'template' }, true, 'public'],
  ['A site whose content is imported starts empty', { source: 'import' }, false, 'public'],
  ['A site whose content is in git starts empty', { source: 'markdown-in-git' }, false, 'public'],
  ['A protected site is read by share links', { audience: 'protected' }, true, 'share-link'],
  ['Readers of an internal site log in', { audience: 'internal' }, true, 'visitor-auth'],
  ['A mixed audience begins as the public', { audience: 'mixed' }, true, 'public'],
] as const)('%s', (_title, preferences, sample, visibility) => {
  const whole = preferences && { source: null, audience: null, interests: [], ...preferences }
  expect(startOf(whole)).toEqual({ sample, visibility })
})
