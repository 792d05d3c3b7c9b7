import { aiAgents } from '../../shared/ai-agents.rules.ts'

/** What `robots.txt` depends on. */
export interface Crawling {
  /** Where the site is published, if it may be found there. */
  published: string | undefined
  excludesAgents: boolean
}

/** Writes `robots.txt` (RFC 9309): search engines read what is published to everybody, AI agents do where they are not excluded. */
export function robotsText({ published, excludesAgents }: Crawling): string {
  const agents = excludesAgents ? [...aiAgents.map(name => `User-agent: ${name}`), 'Disallow: /', ''] : []
  const others =
    published === undefined ? ['Disallow: /'] : ['Disallow: /*~recto/search', `Sitemap: ${published}sitemap.xml`]
  return `${[...agents, 'User-agent: *', ...others].join('\n')}\n`
}
