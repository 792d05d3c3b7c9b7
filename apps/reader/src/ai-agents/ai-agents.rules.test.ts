import { expect, test } from '@jest/globals'
import { aiAgents, isAIAgent } from './ai-agents.rules.ts'

test.each([
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
  'Mozilla/5.0 (compatible) AI2Bot-Dolma (+https://www.allenai.org/crawler)',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'gptbot',
])('%j is an AI agent', userAgent => expect(isAIAgent(userAgent)).toBe(true))

test.each([
  undefined,
  '',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1)',
  'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'facebookexternalhit/1.1',
  'Devine/1.0',
  'NotGPTBot/1.0',
  'curl/8.5.0',
])('%j is none', userAgent => expect(isAIAgent(userAgent)).toBe(false))

test('each name is one that robots.txt can have, and stands once', () => {
  for (const name of aiAgents) expect(name).toMatch(/^[A-Za-z][\w-]+$/)
  expect(new Set(aiAgents.map(name => name.toLowerCase())).size).toBe(aiAgents.length)
  expect(aiAgents.every(name => isAIAgent(`${name}/1.0`))).toBe(true)
})
