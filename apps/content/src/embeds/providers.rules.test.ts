import { describe, expect, it } from '@jest/globals'
import { presentEmbed } from './present-embed.ts'
import { embedFrame } from './providers.rules.ts'

const youtube = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'
const loom = '0123456789abcdef0123456789abcdef'
const spotify = '4uLU6hMCjMI75M1A2tKUQC'
const figma = 'https://embed.figma.com/design/AbCdEf123456?embed-host=recto'

describe('a URL with a frame', () => {
  it.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=x', youtube],
    ['http://youtube.com/watch?v=dQw4w9WgXcQ', youtube],
    ['https://youtu.be/dQw4w9WgXcQ?t=3', youtube],
    ['https://www.youtube.com/shorts/dQw4w9WgXcQ', youtube],
    ['https://m.youtube.com/embed/dQw4w9WgXcQ', youtube],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'],
    ['https://vimeo.com/76979871/abcdef0123', 'https://player.vimeo.com/video/76979871?h=abcdef0123'],
    [`https://www.loom.com/share/${loom}?sid=1`, `https://www.loom.com/embed/${loom}`],
    ['https://codepen.io/some-one/pen/AbCdEfG', 'https://codepen.io/some-one/embed/AbCdEfG?default-tab=result'],
    ['https://www.figma.com/file/AbCdEf123456/A-name', figma],
    ['https://www.figma.com/design/AbCdEf123456/A?node-id=1%3A2', `${figma}&amp;node-id=1-2`],
    [
      'https://open.spotify.com/intl-de/track/4uLU6hMCjMI75M1A2tKUQC',
      `https://open.spotify.com/embed/track/${spotify}`,
    ],
  ])('%s', (url, source) => {
    const frame = embedFrame(url)
    expect(frame?.html).toContain(`<iframe src="${source}" `)
    expect(frame?.html).toContain(' sandbox="allow-scripts ')
  })
})

describe('a URL without frame', () => {
  it.each([
    'https://example.com/watch?v=dQw4w9WgXcQ',
    'https://youtube.com.example.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com@example.com/watch?v=dQw4w9WgXcQ',
    'https://example.com@www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?v="><script>',
    'https://www.youtube.com/watch?v=dQw4w9WgXc%22',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/@someone',
    'https://youtu.be/dQw4w9WgXcQ/more',
    'https://youtu.be/',
    'https://vimeo.com/about',
    'https://vimeo.com/1/%22onload=',
    'https://www.loom.com/share/short',
    'https://codepen.io/some-one/pen/%22%3E',
    'https://codepen.io/some-one/pens/AbCdEfG',
    'https://www.figma.com/community/AbCdEf123456',
    'https://open.spotify.com/user/4uLU6hMCjMI75M1A2tKUQC',
    'nothing',
  ])('%s', url => expect(embedFrame(url)).toBeUndefined())

  it('takes nothing else of the URL into the frame', () => {
    const { html } = embedFrame('https://www.figma.com/proto/AbCdEf123456/%22%3E?node-id=%22%3E1-2') ?? {}
    expect(html).toContain('src="https://embed.figma.com/proto/AbCdEf123456?embed-host=recto" ')
  })
})

describe('the preview of a provider', () => {
  const url = 'https://youtu.be/dQw4w9WgXcQ'
  const { html } = embedFrame(url) ?? {}

  it.each([
    [
      { title: 'A film', site: 'Films' },
      { type: 'rich', title: 'A film', site: 'Films', html },
    ],
    [{}, { type: 'rich', title: 'youtu.be', site: 'YouTube', html }],
  ])('of a page that says %j', (preview, embed) => expect(presentEmbed(url, preview)).toEqual(embed))

  it('has no frame for other pages of it', () => {
    expect(presentEmbed('https://www.youtube.com/about', { title: 'About' })).toEqual({
      ...{ type: 'link', title: 'About', site: 'www.youtube.com' },
    })
  })
})
