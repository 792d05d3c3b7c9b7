import { expect, it } from '@jest/globals'
import {
  agreeingActions,
  settleActions,
  type ActionSettings,
  type PageAction,
  type SentActions,
} from './page-actions.rules.ts'

const none = { externalAI: false, markdown: false, mcp: false }
const settings = (...items: PageAction[]): ActionSettings => ({
  pageActions: {
    items,
    externalAI: items.includes('external-ai'),
    markdown: items.includes('markdown'),
    mcp: items.includes('mcp'),
  },
  git: { showEditLink: items.includes('git') },
  pdf: { enabled: items.includes('pdf') },
  ai: { mode: items.includes('assistant') ? 'assistant' : 'none' },
})
const defaults = settings('markdown', 'mcp', 'pdf')
const ai = { mode: 'none' as const }

it.each<[string, SentActions, ActionSettings, PageAction[]]>([
  ['a list', { pageActions: { items: ['git', 'markdown'] }, ai }, defaults, ['git', 'markdown']],
  ['an empty list', { pageActions: { items: [] }, ai }, defaults, []],
  ['the list as it was', { pageActions: { items: ['pdf', 'git'] }, ai }, settings('pdf', 'git'), ['pdf', 'git']],
  [
    'another list with the switches as they were',
    { pageActions: { ...none, items: ['git'] }, pdf: { enabled: true }, git: { showEditLink: false }, ai },
    settings('pdf'),
    ['git'],
  ],
  [
    'other switches with the list as it was',
    { pageActions: { ...none, mcp: true, items: ['pdf', 'markdown'] }, pdf: { enabled: true }, ai },
    settings('pdf', 'markdown'),
    ['pdf', 'mcp'],
  ],
  [
    'switches without a list',
    {
      pageActions: { externalAI: true, markdown: false, mcp: false },
      pdf: { enabled: false },
      git: { showEditLink: true },
      ai,
    },
    settings('pdf'),
    ['external-ai', 'git'],
  ],
  ['nothing, which is the defaults', { pageActions: {}, ai }, settings('git'), ['markdown', 'mcp', 'pdf']],
  [
    'an assistant that the list has not',
    { pageActions: { items: ['pdf'] }, ai: { mode: 'assistant' } },
    defaults,
    ['assistant', 'pdf'],
  ],
  [
    'an assistant where the list has it',
    { pageActions: { items: ['pdf', 'assistant'] }, ai: { mode: 'assistant' } },
    defaults,
    ['pdf', 'assistant'],
  ],
  ['an assistant of an empty list', { pageActions: { items: [] }, ai: { mode: 'assistant' } }, defaults, []],
  ['an assistant that there is not', { pageActions: { items: ['assistant', 'pdf'] }, ai }, defaults, ['pdf']],
])('the actions of pages after %s', (_what, sent, before, items) => {
  const { ai: _mode, ...expected } = settings(...items)
  expect(settleActions(sent, { before, defaults })).toEqual(expected)
})

it.each<[string, Partial<ActionSettings>, PageAction[]]>([
  ['nothing', {}, ['pdf', 'markdown']],
  ['no PDF', { pdf: { enabled: false } }, ['markdown']],
  ['a link to the repository', { git: { showEditLink: true } }, ['pdf', 'markdown', 'git']],
])('a space that overrides %s offers', (_what, overrides, items) =>
  expect(agreeingActions({ ...settings('pdf', 'markdown'), ...overrides }).pageActions.items).toEqual(items),
)
