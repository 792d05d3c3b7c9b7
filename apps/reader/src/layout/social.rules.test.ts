import { expect, test } from '@jest/globals'
import { iconShape } from '../blocks/icons/icons.ts'
import { socialLinks } from './social.rules.ts'

const account = (platform: string, handle: string, display = { footer: true, header: false }) =>
  ({ platform, handle, display }) as Parameters<typeof socialLinks>[0][number]

test.each([
  ['twitter', 'recto', 'https://x.com/recto'],
  ['instagram', 'recto', 'https://www.instagram.com/recto'],
  ['facebook', 'recto', 'https://www.facebook.com/recto'],
  ['linkedin', 'recto', 'https://www.linkedin.com/company/recto'],
  ['linkedin', 'in/ada', 'https://www.linkedin.com/in/ada'],
  ['github', 'recto', 'https://github.com/recto'],
  ['github', '../a?b#c', 'https://github.com/../a%3Fb%23c'],
  ['discord', 'recto', 'https://discord.com/invite/recto'],
  ['slack', 'Recto', 'https://recto.slack.com/'],
  ['slack', 'evil.test/', undefined],
  ['youtube', 'recto', 'https://www.youtube.com/@recto'],
  ['tiktok', 'recto', 'https://www.tiktok.com/@recto'],
  ['reddit', 'recto', 'https://www.reddit.com/r/recto'],
  ['reddit', 'u/recto', 'https://www.reddit.com/u/recto'],
  ['bluesky', 'recto.test', 'https://bsky.app/profile/recto.test'],
  ['mastodon', 'recto', 'https://mastodon.social/@recto'],
  ['mastodon', 'recto@Hosts.test', 'https://hosts.test/@recto'],
  ['mastodon', 'recto@evil/x', undefined],
  ['mastodon', 'recto@a@b', undefined],
  ['threads', 'recto', 'https://www.threads.net/@recto'],
  ['medium', 'recto', 'https://medium.com/@recto'],
])('an account at %s with the handle %s is at %s', (platform, handle, expected) => {
  const [link] = socialLinks([account(platform, handle)], 'footer')
  expect(link?.href).toBe(expected)
  if (link) expect(iconShape(link.icon)).toBeDefined()
})

test('an account shows where it is to show', () => {
  const accounts = [account('github', 'a', { footer: false, header: true }), account('medium', 'b')]
  expect(socialLinks(accounts, 'header').map(({ name }) => name)).toEqual(['GitHub'])
  expect(socialLinks(accounts, 'footer').map(({ name }) => name)).toEqual(['Medium'])
})
