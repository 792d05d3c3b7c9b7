import { expect, it } from '@jest/globals'
import { translator } from '../i18n/index.ts'
import { renderAnswer, type AnswerView } from './ask-page.tsx'
import { answersQuestions, type FrameView } from './view.ts'

const view = { site: { links: { own: '/docs/~recto/' } }, t: translator('en') } as unknown as FrameView
const answer = { question: 'Is <b> bold?', html: '<p>It is.</p>' }
const hit = {
  href: '/docs/marks',
  title: 'Marks & more',
  sections: [{ href: '/docs/marks#bold', title: 'Bold', text: '' }],
}
const rendered = (more: Partial<AnswerView> = {}) => renderAnswer(view, { ...answer, ...more })

it('An answer that is being written has its question as text and what was rendered, and no end', () => {
  expect(rendered()).toBe('<h2>Is &lt;b> bold?</h2><div class="page-body without-anchors"><p>It is.</p></div>')
})

it('A whole answer leads to its sources, and asks on by forms that cost nothing until they are sent', () => {
  const html = rendered({ end: { sources: [hit], followupQuestions: ['Why "so"?'] } })
  expect(html).toContain('<a href="/docs/marks"><strong>Marks &amp; more</strong></a>')
  expect(html).toContain('<a href="/docs/marks#bold"><span>Bold</span></a>')
  expect(html).toContain(
    '<form action="/docs/~recto/ask" method="post" data-ask="true"><input type="hidden" name="q" value="Why &quot;so&quot;?"/>',
  )
  expect(html).not.toMatch(/href="[^"]*ask/)
})

it('An answer without sources says so, and leads to the search', () => {
  const html = rendered({ end: { sources: [], followupQuestions: [] } })
  expect(html).toContain('No page supports this answer.')
  expect(html).toContain('href="/docs/~recto/search?q=Is%20%3Cb%3E%20bold%3F"')
})

it('Without an answer, the page says so in its own language, and leads to the search', () => {
  const german = { ...view, t: translator('de') } as FrameView
  const html = renderAnswer(german, { ...answer, html: '', end: { sources: [], followupQuestions: [] } })
  expect(html).toContain('Keine Seite beantwortet diese Frage.')
  expect(html).not.toContain('belegt')
})

it('An answer that breaks off keeps what was written, and says so', () => {
  expect(rendered({ fault: 'Broken off.' })).toMatch(/It is\..*Broken off\./)
})

const on = { ai: { mode: 'search' } }
const off = { ai: { mode: 'none' } }
it.each([
  ['where it says so', on, on, {}, true],
  ['where it does not', off, off, {}, false],
  ['nowhere in a space that says otherwise', off, on, {}, false],
  ['nowhere where only a space says so, as the API does', on, off, {}, false],
  ['where agents are excluded', on, on, { agentsContext: 'excluded' }, false],
  ['in a preview', on, on, { isPreview: true }, false],
  ['in a change request', on, on, { changeRequest: 'c' }, false],
])('A site answers questions %s', (_where, customization, ofSite, more, expected) => {
  const { agentsContext = 'included', isPreview = false, changeRequest } = more as Record<string, never>
  const published = { site: { agentsContext }, customizations: { site: ofSite, siteSpaces: {} } }
  const site = { published, isPreview, lookup: { changeRequest } }
  expect(answersQuestions({ customization, site } as never)).toBe(expected)
})
