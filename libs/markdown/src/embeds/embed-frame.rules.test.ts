import { describe, expect, it } from '@jest/globals'
import { embedFrameOf } from './embed-frame.rules.ts'

const youtube = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'
const vimeo = 'https://player.vimeo.com/video/76979871?dnt=1'
const dailymotion = 'https://www.dailymotion.com/embed/video/x8abc12'
const wistia = 'https://fast.wistia.net/embed/iframe/e4a27b971d'
const loom = '0123456789abcdef0123456789abcdef'
const spotify = '4uLU6hMCjMI75M1A2tKUQC'
const figma = 'https://embed.figma.com/design/AbCdEf123456?embed-host=recto'

describe('A URL of content at a provider', () => {
  it.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=x', youtube],
    ['http://youtube.com/watch?v=dQw4w9WgXcQ', youtube],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s', `${youtube}?start=90`],
    ['https://youtu.be/dQw4w9WgXcQ?t=3', `${youtube}?start=3`],
    ['https://youtu.be/dQw4w9WgXcQ?t=%22', youtube],
    ['https://www.youtube.com/shorts/dQw4w9WgXcQ', youtube],
    ['https://www.youtube.com/v/dQw4w9WgXcQ', youtube],
    ['https://m.youtube.com/embed/dQw4w9WgXcQ', youtube],
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=7', `${youtube}?start=7`],
    ['https://vimeo.com/76979871', vimeo],
    ['https://player.vimeo.com/video/76979871', vimeo],
    ['https://vimeo.com/76979871/abcdef0123', `${vimeo}&h=abcdef0123`],
    ['https://player.vimeo.com/video/76979871?h=abcdef0123', `${vimeo}&h=abcdef0123`],
    [`https://www.loom.com/share/${loom}?sid=1`, `https://www.loom.com/embed/${loom}`],
    ['https://www.dailymotion.com/video/x8abc12', dailymotion],
    ['https://dailymotion.com/embed/video/x8abc12', dailymotion],
    [wistia, wistia],
    ['https://codepen.io/some-one/pen/AbCdEfG', 'https://codepen.io/some-one/embed/AbCdEfG?default-tab=result'],
    ['https://www.figma.com/file/AbCdEf123456/A-name', figma],
    ['https://www.figma.com/design/AbCdEf123456/A?node-id=1%3A2', `${figma}&node-id=1-2`],
    [
      'https://open.spotify.com/intl-de/track/4uLU6hMCjMI75M1A2tKUQC',
      `https://open.spotify.com/embed/track/${spotify}`,
    ],
  ])('%s is shown in a frame of %s', (url, source) => expect(embedFrameOf(url)?.source).toBe(source))

  it.each([
    ['https://youtu.be/dQw4w9WgXcQ', { provider: 'YouTube', isVideo: true, source: youtube, height: 400 }],
    ['https://www.figma.com/file/AbCdEf123456', { provider: 'Figma', isVideo: false, source: figma, height: 450 }],
  ])('%s has the name of its provider and a height', (url, frame) => expect(embedFrameOf(url)).toEqual(frame))
})

it.each([
  'https://example.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com.example.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com@example.com/watch?v=dQw4w9WgXcQ',
  'https://example.com@www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ',
  'ftp://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'javascript:youtube.com',
  'https://www.youtube.com/watch?v="><script>',
  'https://www.youtube.com/watch?v=dQw4w9WgXc%22',
  'https://www.youtube.com/watch',
  'https://www.youtube.com/',
  'https://www.youtube.com/@someone',
  'https://youtu.be/dQw4w9WgXcQ/more',
  'https://youtu.be/',
  'https://vimeo.com/about',
  'https://vimeo.com/1/%22onload=',
  'https://www.loom.com/share/short',
  'https://www.dailymotion.com/playlist/x8abc12',
  'https://fast.wistia.net/embed/iframe/%22',
  'https://codepen.io/some-one/pen/%22%3E',
  'https://codepen.io/some-one/pens/AbCdEfG',
  'https://www.figma.com/community/AbCdEf123456',
  'https://open.spotify.com/user/4uLU6hMCjMI75M1A2tKUQC',
  'nothing',
])('The URL %s has no frame', url => expect(embedFrameOf(url)).toBeUndefined())

it('A frame takes nothing of a URL that its pattern does not allow', () => {
  const { source } = embedFrameOf('https://www.figma.com/proto/AbCdEf123456/%22%3E?node-id=%22%3E1-2') ?? {}
  expect(source).toBe('https://embed.figma.com/proto/AbCdEf123456?embed-host=recto')
})
