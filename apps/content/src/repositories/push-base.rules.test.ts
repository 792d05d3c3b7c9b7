import { expect, it } from '@jest/globals'
import { type ReplacedContent, revisionToReplace } from './push-base.rules.ts'

const main: ReplacedContent = { kind: 'main', main: 'm2' }
const fresh: ReplacedContent = { kind: 'new-change-request', main: 'm2', isFormerMain: false }
const former: ReplacedContent = { ...fresh, isFormerMain: true }
const request: ReplacedContent = { kind: 'change-request', revision: 'c2', mainAtUpdate: 'm1' }

it.each<[string, ReplacedContent, string | undefined, boolean, string | undefined]>([
  ['main content, without base', main, undefined, false, 'm2'],
  ['main content, which is its base', main, 'm2', false, 'm2'],
  ['main content, which has moved', main, 'm1', false, undefined],
  ['main content, which has moved, by force', main, 'm1', true, 'm2'],
  ['a new change request, without base', fresh, undefined, false, 'm2'],
  ['a new change request of main content', fresh, 'm2', false, 'm2'],
  ['a new change request of former main content', former, 'm1', false, 'm1'],
  ['a new change request of former main content, by force', former, 'm1', true, 'm1'],
  ['a new change request of what never was main content', fresh, 'x', false, undefined],
  ['a new change request of what never was main content, by force', fresh, 'x', true, 'm2'],
  ['a change request, without base', request, undefined, false, 'c2'],
  ['a change request, which is its base', request, 'c2', false, 'c2'],
  ['a change request, of the main content that it has', request, 'm1', false, 'c2'],
  ['a change request, of earlier main content', request, 'm0', false, undefined],
  ['a change request, of later main content', request, 'm2', false, undefined],
  ['a change request, of earlier main content, by force', request, 'm0', true, 'c2'],
])('A push to %s replaces one revision, or is refused', (_which, content, base, force, expected) =>
  expect(revisionToReplace(content, { base, force })).toBe(expected),
)
