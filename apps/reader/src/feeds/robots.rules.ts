import { aiAgents } from '../ai-agents/ai-agents.rules.ts'

/** Who may read a site, as crawlers are told. */
export interface Crawling {
  /** The address of the site, if everybody may find it there. */
  published: string | undefined
  excludesAgents: boolean
}

/**
 * How pages may be used, as a site's settings say (the Content-Signal line of contentsignals.org): search, and as input of answers where AI
 * agents are not excluded. No setting speaks of training, so only excluding agents does.
 */
const contentSignals = { included: 'search=yes, ai-input=yes', excluded: 'search=yes, ai-input=no, ai-train=no' }

/** Writes `robots.txt` (RFC 9309): search engines read what is published to everybody, AI agents do where they are not excluded. */
export function robotsText({ published, excludesAgents }: Crawling): string {
  const agents = excludesAgents ? [...aiAgents.map(name => `User-agent: ${name}`), 'Disallow: /', ''] : []
  const others =
    published === undefined
      ? ['Disallow: /']
      : [
          `Content-Signal: ${contentSignals[excludesAgents ? 'excluded' : 'included']}`,
          'Disallow: /*~recto/search',
          'Disallow: /*~recto/ask',
          `Sitemap: ${published}sitemap.xml`,
        ]
  return `${[...agents, 'User-agent: *', ...others].join('\n')}\n`
}
