import { describe, expect, it } from '@jest/globals'
import { audienceContent, type AudienceContent, type AudiencePage, type AudienceReference } from './index.ts'

const page = (id: string, more: Partial<AudiencePage> = {}): AudiencePage => ({
  id,
  parent: null,
  type: 'document',
  ...more,
})
const file = (id: string, ...conditions: string[]): AudienceReference => ({ target: { kind: 'file', id }, conditions })
const include = (id: string, ...conditions: string[]): AudienceReference => ({
  target: { kind: 'reusable-content', id },
  conditions,
})
const spec = (slug: string, ...conditions: string[]): AudienceReference => ({
  target: { kind: 'specification', slug },
  conditions,
})

interface Given {
  pages?: AudiencePage[]
  references?: Record<string, AudienceReference[]>
  site?: AudienceReference[]
  hiddenElsewhere?: Set<string>
}

/** The visible content for a visitor with claims, as lists. */
function seen(
  { pages = [page('p')], references = {}, site = [], ...more }: Given,
  claims: Record<string, unknown> = {},
) {
  const content: AudienceContent = {
    pages,
    referencesOfSite: site,
    ...more,
    referencesOfPage: id => references[id] ?? [],
    referencesOfReusableContent: id => references[id] ?? [],
  }
  const visible = audienceContent(content, { claims, variables: { on: true } })
  return Object.fromEntries(Object.entries(visible).map(([name, ids]) => [name, [...ids].sort().join(' ')]))
}
const beta = 'visitor.claims.beta'

describe('Of pages, a visitor sees', () => {
  const tree = [
    page('shut', { condition: beta }),
    page('below', { parent: 'shut' }),
    page('group', { type: 'group' }),
    page('inside', { parent: 'group', condition: beta }),
    page('empty', { type: 'group' }),
    page('closed-group', { type: 'group', condition: beta }),
    page('in-closed', { parent: 'closed-group' }),
    page('link', { type: 'link', condition: beta }),
    page('varied', { condition: 'page.vars.on && space.vars.on', variables: { on: true } }),
    page('unvaried', { condition: 'page.vars.on' }),
    page('broken', { condition: 'nothing.at.all' }),
  ]
  it.each([
    ['those whose conditions hold, and groups that show something', {}, 'varied'],
    ['more with claims', { beta: true }, 'below closed-group group in-closed inside link shut varied'],
  ])('%s', (_title, claims, pages) => expect(seen({ pages: tree }, claims).pages).toBe(pages))

  it('none that other content hides, and none below', () => {
    const hiddenElsewhere = new Set(['shut', 'inside'])
    expect(seen({ pages: tree, hiddenElsewhere }, { beta: true }).pages).toBe('closed-group in-closed link varied')
  })
})

describe('Of what content refers to, a visitor sees', () => {
  it.each<[string, Given, object, object]>([
    ['files of visible pages', { references: { p: [file('f')], q: [file('g')] } }, {}, { files: 'f' }],
    ['files in visible parts', { references: { p: [file('f'), file('g', beta)] } }, {}, { files: 'f' }],
    [
      'files in all visible parts',
      { references: { p: [file('f', beta), file('f', 'visitor.claims.x')] } },
      { x: 1 },
      { files: 'f' },
    ],
    [
      'what all conditions allow',
      { references: { p: [file('f', beta, 'visitor.claims.x')] } },
      { x: 1 },
      { files: '' },
    ],
    [
      'what is included',
      { references: { p: [include('r')], r: [include('s'), file('f')], s: [spec('a')] } },
      {},
      { reusableContents: 'r s', files: 'f', specifications: 'a' },
    ],
    [
      'no more of what includes itself',
      { references: { p: [include('r')], r: [include('r'), file('f')] } },
      {},
      { reusableContents: 'r', files: 'f' },
    ],
    [
      'nothing that only hidden content includes',
      { references: { p: [include('r', beta)], r: [file('f')] } },
      {},
      { reusableContents: '', files: '' },
    ],
    ['what the site links to', { site: [file('f'), file('g', beta)] }, {}, { files: 'f' }],
  ])('%s', (_title, content, claims, expected) => {
    expect(seen(content, { ...claims })).toMatchObject(expected)
  })
})
