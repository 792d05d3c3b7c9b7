/** Limits of insights. */
export const insightsLimits = {
  /** Events of one request, and its bytes. */
  events: 100,
  bytes: 262_144,
  url: 8_192,
  id: 100,
  query: 512,
  comment: 512,
  /** Milliseconds by which the clock of a visitor may differ. */
  clock: 300_000,
  /** Rows of the answer of a query, and columns by which it groups. */
  rows: 1_000,
  groups: 5,
  filters: 10,
  filterValues: 100,
} as const

/** Types of events on a published site. */
export const insightsEventTypes = [
  'page_view',
  'page_markdown_request',
  'search_open',
  'search_type_query',
  'search_open_result',
  'page_post_feedback',
  'page_post_feedback_comment',
  'agent_feedback',
  'ask_question',
  'ask_view',
  'ask_rate_response',
  'link_click',
  'api_client_open',
  'api_client_request',
  'ad_click',
  'ad_display',
  'trademark_click',
  'llms_request',
  'mcp_request',
  'rss_request',
] as const

/** A visitor's opinion of a page. */
export const pageRatings = ['bad', 'ok', 'good'] as const

/** Which list of pages for agents a request asks for. */
export const llmsVariants = ['standard', 'full'] as const

/** Where a request for the Markdown of a page comes from, if not from an agent. */
export const markdownSources = ['page-action'] as const

/** Where on a site a link is. */
export const linkPositions = ['announcement', 'header', 'footer', 'sidebar', 'content'] as const

/** Ranges of time that have a name. */
export const insightsRanges = ['lastYear', 'last3Months', 'last30Days', 'last7Days', 'last24Hours'] as const
