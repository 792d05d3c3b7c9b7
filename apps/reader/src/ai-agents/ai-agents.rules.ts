/**
 * Names by which AI agents call themselves: in requests, and in `robots.txt`, where the two that end in `-Extended` stand for what becomes of
 * pages that a search engine reads. From https://github.com/ai-robots-txt/ai.robots.txt and what their operators document (reading-sites.md);
 * without search engines, and without names that are words or tools of anybody.
 */
export const aiAgents: readonly string[] = [
  'AI2Bot',
  'Amazonbot',
  'Amzn-User',
  'Andibot',
  'anthropic-ai',
  'Applebot-Extended',
  'AzureAI-SearchBot',
  'bedrockbot',
  'Brightbot',
  'Bytespider',
  'CCBot',
  'ChatGLM-Spider',
  'ChatGPT-User',
  'Claude-Code',
  'Claude-SearchBot',
  'Claude-User',
  'Claude-Web',
  'ClaudeBot',
  'cohere-ai',
  'cohere-training-data-crawler',
  'Cotoyogi',
  'Crawl4AI',
  'DeepSeekBot',
  'Devin',
  'Diffbot',
  'DuckAssistBot',
  'FacebookBot',
  'FirecrawlAgent',
  'Gemini-Deep-Research',
  'Google-CloudVertexBot',
  'Google-Extended',
  'Google-Gemini-CLI',
  'Google-NotebookLM',
  'GoogleAgent-Mariner',
  'GPTBot',
  'iAskBot',
  'iaskspider',
  'ImagesiftBot',
  'img2dataset',
  'LAIONDownloader',
  'LinkupBot',
  'Manus-User',
  'meta-externalagent',
  'meta-externalfetcher',
  'MistralAI-User',
  'NovaAct',
  'OAI-SearchBot',
  'omgili',
  'omgilibot',
  'PanguBot',
  'Perplexity-User',
  'PerplexityBot',
  'PhindBot',
  'QuillBot',
  'TavilyBot',
  'TikTokSpider',
  'Timpibot',
  'Webzio-Extended',
  'YouBot',
]

/** One of the names as a product of its own (RFC 9110, 10.1.5), in any case: nothing that merely contains it. */
const agentName = new RegExp(`(?<![\\w-])(?:${aiAgents.join('|')})(?![a-z])`, 'i')

/** Whether a request is that of an AI agent, by its own account. */
export function isAIAgent(userAgent: string | undefined): boolean {
  return userAgent !== undefined && agentName.test(userAgent)
}
