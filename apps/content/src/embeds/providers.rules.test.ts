import { describe, expect, it } from '@jest/globals'
import { presentEmbed } from './present-embed.ts'
import { embedFrame } from './providers.rules.ts'

describe('The frame of a provider', () => {
  it.each([
    ['https://youtu.be/dQw4w9WgXcQ?t=3', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=3'],
    ['https://vimeo.com/76979871/abcdef0123', 'https://player.vimeo.com/video/76979871?dnt=1&amp;h=abcdef0123'],
    ['https://www.figma.com/file/AbCdEf123456/A', 'https://embed.figma.com/design/AbCdEf123456?embed-host=recto'],
  ])('The frame of a provider for %s is HTML that runs in a sandbox', (url, source) => {
    const frame = embedFrame(url)
    expect(frame?.html).toContain(`<iframe src="${source}" `)
    expect(frame?.html).toContain(' sandbox="allow-scripts ')
  })

  it.each(['https://example.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube.com/watch', 'nothing'])(
    'The frame of a provider is missing for %s',
    url => expect(embedFrame(url)).toBeUndefined(),
  )
})

describe('The preview of a provider', () => {
  const url = 'https://youtu.be/dQw4w9WgXcQ'
  const { html } = embedFrame(url) ?? {}

  it.each([
    [
      { title: 'A film', site: 'Films' },
      { type: 'rich', title: 'A film', site: 'Films', html },
    ],
    [{}, { type: 'rich', title: 'youtu.be', site: 'YouTube', html }],
  ])("The preview of a provider's page with the metadata %j has its frame", (preview, embed) =>
    expect(presentEmbed(url, preview)).toEqual(embed),
  )

  it('The preview of a provider has no frame for other pages of the provider', () => {
    expect(presentEmbed('https://www.youtube.com/about', { title: 'About' })).toEqual({
      type: 'link',
      title: 'About',
      site: 'www.youtube.com',
    })
  })
})
