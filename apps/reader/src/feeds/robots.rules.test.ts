import { expect, test } from '@jest/globals'
import { aiAgents } from '../ai-agents/ai-agents.rules.ts'
import { robotsText } from './robots.rules.ts'

/** The rules of each agent that `robots.txt` names. */
function groupsOf(text: string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const group of text.trimEnd().split('\n\n')) {
    const lines = group.split('\n')
    const rules = lines.filter(line => !line.startsWith('User-agent: '))
    for (const line of lines) {
      const [, agent] = /^User-agent: (.+)$/.exec(line) ?? []
      if (agent !== undefined) groups.set(agent, rules)
    }
  }
  return groups
}

const published = 'https://a.docs.test/'
const allowing = (signal: string) => [
  `Content-Signal: ${signal}`,
  'Disallow: /*~recto/search',
  'Disallow: /*~recto/ask',
  'Sitemap: https://a.docs.test/sitemap.xml',
]
const open = allowing('search=yes, ai-input=yes')
const search = allowing('search=yes, ai-input=no, ai-train=no')
const none = ['Disallow: /']

test.each([
  ['a public site', published, false, undefined, open],
  ['a public site without agents', published, true, none, search],
  ['a site that is not public', undefined, false, undefined, none],
  ['a site that is not public, without agents', undefined, true, none, none],
])('of %s', (_what, published, excludesAgents, agents, others) => {
  const groups = groupsOf(robotsText({ published, excludesAgents }))
  for (const agent of aiAgents) expect([agent, groups.get(agent)]).toEqual([agent, agents])
  expect(groups.get('*')).toEqual(others)
  expect(groups.size).toBe(excludesAgents ? aiAgents.length + 1 : 1)
})
