import { describe, expect, it } from '@jest/globals'
import { type PagePreview, readPreview } from './page-preview.ts'

const base = 'https://docs.example/guide/'

describe('the preview of a page', () => {
  it.each<[string, string, PagePreview]>([
    ['has the title', '<title> A\n  page </title>', { title: 'A page' }],
    [
      'prefers OpenGraph',
      `<title>Own</title><meta name="twitter:title" content="Bird"><meta property="og:title" content="Shared &amp; more">
       <meta property="og:site_name" content="Docs"><meta name="application-name" content="App">`,
      { title: 'Shared & more', site: 'Docs' },
    ],
    [
      'takes other metadata',
      '<meta name="Twitter:Title" content="Bird"><meta name="application-name" content="App">',
      { title: 'Bird', site: 'App' },
    ],
    ['skips blank metadata', '<title>Own</title><meta property="og:title" content=" ">', { title: 'Own' }],
    ['takes the first of several', '<title>One</title><svg><title>Two</title></svg>', { title: 'One' }],
    ['has an icon with an absolute URL', '<link rel="icon" href="/a.png">', { icon: 'https://docs.example/a.png' }],
    ['has a shortcut icon', '<link rel="Shortcut Icon" href="a.ico">', { icon: 'https://docs.example/guide/a.ico' }],
    ['has a touch icon', '<link rel="apple-touch-icon" href="//x.example/a">', { icon: 'https://x.example/a' }],
    [
      'skips icons that are no http URLs',
      '<link rel="icon" href="data:image/png;base64,AA"><link rel="icon" href="javascript:x()"><link rel="icon" href="b">',
      { icon: 'https://docs.example/guide/b' },
    ],
    ['skips other links', '<link rel="stylesheet" href="a.css"><link rel="mask-icon" href="a.svg">', {}],
    ['of nothing is empty', '', {}],
    ['of text is empty', 'no page', {}],
    ['has text and no HTML', '<title><b>bold</b></title>', { title: '<b>bold</b>' }],
    ['of a part of a page has what is there', '<head><title>Cut</title><meta property="og:ti', { title: 'Cut' }],
  ])('%s', (_name, html, preview) => expect(readPreview({ html, base })).toEqual(preview))

  it('is short', () => {
    const { title, icon } = readPreview({
      html: `<title>${'é'.repeat(300)}</title><link rel=icon href="/${'x'.repeat(3000)}">`,
      base,
    })
    expect([title?.length, icon]).toEqual([200, undefined])
  })
})
