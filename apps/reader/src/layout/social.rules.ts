import type { Customization } from '../api/types.ts'

type Account = Customization['socialAccounts'][number]

/** The name of a platform, the icon for it, and where an account is there; undefined for a handle that it cannot have. */
interface Platform {
  name: string
  icon: string
  addressOf(handle: string): string | undefined
}

const encoded = (handle: string) => handle.split('/').map(encodeURIComponent).join('/')
const below = (name: string, icon: string, start: string): Platform => ({
  name,
  icon,
  addressOf: handle => `${start}${encoded(handle)}`,
})
const host = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i

/** A handle with a slash says itself what it is of, such as `company/recto` or `u/recto`. */
const ofKind = (name: string, icon: string, { start, kind }: { start: string; kind: string }): Platform => ({
  name,
  icon,
  addressOf: handle => `${start}${handle.includes('/') ? '' : `${kind}/`}${encoded(handle)}`,
})

const platforms: Record<Account['platform'], Platform> = {
  twitter: below('X', 'x-twitter', 'https://x.com/'),
  instagram: below('Instagram', 'instagram', 'https://www.instagram.com/'),
  facebook: below('Facebook', 'facebook', 'https://www.facebook.com/'),
  linkedin: ofKind('LinkedIn', 'linkedin', { start: 'https://www.linkedin.com/', kind: 'company' }),
  github: below('GitHub', 'github', 'https://github.com/'),
  discord: below('Discord', 'discord', 'https://discord.com/invite/'),
  slack: {
    name: 'Slack',
    icon: 'slack',
    addressOf: handle => (host.test(handle) ? `https://${handle.toLowerCase()}.slack.com/` : undefined),
  },
  youtube: below('YouTube', 'youtube', 'https://www.youtube.com/@'),
  tiktok: below('TikTok', 'tiktok', 'https://www.tiktok.com/@'),
  reddit: ofKind('Reddit', 'reddit', { start: 'https://www.reddit.com/', kind: 'r' }),
  bluesky: below('Bluesky', 'bluesky', 'https://bsky.app/profile/'),
  mastodon: { name: 'Mastodon', icon: 'mastodon', addressOf: mastodonAddress },
  threads: below('Threads', 'threads', 'https://www.threads.net/@'),
  medium: below('Medium', 'medium', 'https://medium.com/@'),
}

/** `name@server` names its server; a name alone is one of the largest server. */
function mastodonAddress(handle: string): string | undefined {
  const [name = '', server = 'mastodon.social', ...rest] = handle.split('@')
  return host.test(server) && rest.length === 0 ? `https://${server.toLowerCase()}/@${encoded(name)}` : undefined
}

/** The link to an account. */
export interface SocialLink {
  href: string
  icon: string
  /** The name of the platform. */
  name: string
}

/** The links to the accounts that show in a place, in their order. */
export function socialLinks(accounts: readonly Account[], place: keyof Account['display']): SocialLink[] {
  return accounts.flatMap(({ platform, handle, display }) => {
    const { name, icon, addressOf } = platforms[platform]
    const href = addressOf(handle)
    return display[place] && href !== undefined ? [{ href, icon, name }] : []
  })
}
