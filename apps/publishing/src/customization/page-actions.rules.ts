import type { pageActionTypes } from '@recto/contracts-publishing'

/** An action that pages offer. */
export type PageAction = (typeof pageActionTypes)[number]

/** The parts of settings that say which actions pages offer: by a list, and by switches. */
export interface ActionSettings {
  pageActions: { items: PageAction[]; externalAI: boolean; markdown: boolean; mcp: boolean }
  git: { showEditLink: boolean }
  pdf: { enabled: boolean }
  ai: { mode: 'none' | 'search' | 'assistant' }
}

/** Settings of a client that knows the list alone, or the switches alone. */
export interface SentActions {
  pageActions: {
    items?: PageAction[] | undefined
    externalAI?: boolean | undefined
    markdown?: boolean | undefined
    mcp?: boolean | undefined
  }
  git?: { showEditLink: boolean } | undefined
  pdf?: { enabled: boolean } | undefined
  ai: ActionSettings['ai']
}

/** Actions with a switch, in the order in which they are offered that the list does not have. */
const switched = ['external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const

type Switches = Record<(typeof switched)[number], boolean>

/**
 * The list and the switches of settings that agree. A list that is sent and other than before decides; without it the switches do, and
 * those that are not sent are as the list has them, or as the defaults do.
 */
export function settleActions(
  sent: SentActions,
  { before, defaults }: { before: ActionSettings; defaults: ActionSettings },
): Pick<ActionSettings, 'pageActions' | 'git' | 'pdf'> {
  const { items } = sent.pageActions
  const isNews = items !== undefined && items.join() !== before.pageActions.items.join()
  const base = items ?? defaults.pageActions.items
  const switches = isNews ? switchesOf(items) : { ...switchesOf(base), ...sentSwitches(sent) }
  return withSwitches(itemsWith(base, switches, sent.ai), switches)
}

/** Settings whose list agrees with their switches, such as those of a space that overrides some. */
export function agreeingActions<Settings extends ActionSettings>(settings: Settings): Settings {
  const { pageActions, git, pdf } = settings
  const { externalAI, markdown, mcp } = pageActions
  const switches = { 'external-ai': externalAI, markdown, mcp, git: git.showEditLink, pdf: pdf.enabled }
  const items = itemsWith(pageActions.items, switches, settings.ai)
  return { ...settings, pageActions: { ...pageActions, items } }
}

function switchesOf(items: readonly PageAction[]): Switches {
  const has = (action: PageAction) => items.includes(action)
  return {
    'external-ai': has('external-ai'),
    markdown: has('markdown'),
    mcp: has('mcp'),
    git: has('git'),
    pdf: has('pdf'),
  }
}

function sentSwitches({ pageActions: { externalAI, markdown, mcp }, git, pdf }: SentActions): Partial<Switches> {
  return {
    ...(externalAI !== undefined && { 'external-ai': externalAI }),
    ...(markdown !== undefined && { markdown }),
    ...(mcp !== undefined && { mcp }),
    ...(git && { git: git.showEditLink }),
    ...(pdf && { pdf: pdf.enabled }),
  }
}

/** A list with the actions that are switched on; the assistant follows its mode, at the start of a list that does not have it. */
function itemsWith(items: readonly PageAction[], switches: Switches, { mode }: ActionSettings['ai']): PageAction[] {
  const remaining = items.filter(item => item === 'assistant' || switches[item])
  const all = [...remaining, ...switched.filter(action => switches[action] && !remaining.includes(action))]
  if (mode !== 'assistant') return all.filter(item => item !== 'assistant')
  return all.length === 0 || all.includes('assistant') ? all : ['assistant', ...all]
}

function withSwitches(items: PageAction[], switches: Switches) {
  const { 'external-ai': externalAI, markdown, mcp, git, pdf } = switches
  return {
    pageActions: { externalAI, markdown, mcp, items },
    git: { showEditLink: git },
    pdf: { enabled: pdf },
  }
}
