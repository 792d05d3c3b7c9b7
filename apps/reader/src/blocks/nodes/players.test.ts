import { expect, it } from '@jest/globals'
import { playerOf } from './players.ts'

it.each([
  ['https://www.youtube.com/watch?v=abc_-1', 'https://www.youtube-nocookie.com/embed/abc_-1'],
  ['https://youtube.com/watch?v=abc&t=90s', 'https://www.youtube-nocookie.com/embed/abc?start=90'],
  ['https://youtu.be/abc', 'https://www.youtube-nocookie.com/embed/abc'],
  ['https://www.youtube.com/shorts/abc', 'https://www.youtube-nocookie.com/embed/abc'],
  ['https://vimeo.com/123', 'https://player.vimeo.com/video/123?dnt=1'],
  ['https://www.loom.com/share/abc', 'https://www.loom.com/embed/abc'],
  ['https://www.youtube.com/watch?v="><script>', undefined],
  ['https://www.youtube.com/', undefined],
  ['https://youtube.com.evil.example/watch?v=abc', undefined],
  ['javascript:youtube.com', undefined],
  ['nothing', undefined],
])('%s plays %s', (url, source) => expect(playerOf(url)?.source).toBe(source))
