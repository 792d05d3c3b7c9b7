import {
  defaultCodeTheme,
  defaultCustomization,
  type SiteCustomizationInput,
  type SiteCustomizationSettings,
  type SiteSpaceCustomization,
} from '@recto/contracts-publishing'
import type { z } from 'zod'
import { agreeingActions, settleActions } from './page-actions.rules.ts'

/** How a site or a space on it looks, complete. */
export type Customization = z.output<typeof SiteCustomizationSettings>

/** A change of what a space on a site overrides: null inherits again, what is left out stays. */
export type OverrideChanges = z.output<typeof SiteSpaceCustomization>

/** Fields that are set, as JSON; a field that is not set is inherited. */
export type Overrides = Record<string, unknown>

/** Objects whose fields are inherited one by one; any other value is inherited or replaced as a whole. */
const groups = new Set([
  'styling',
  'styling.sidebar',
  'styling.codeTheme',
  'internationalization',
  'header',
  'footer',
  'themes',
  'pdf',
  'feedback',
  'git',
  'externalLinks',
  'pagination',
  'trademark',
  'privacyPolicy',
  'socialPreview',
])

/** How a site looks (`set`: its settings, if it has any), or a space on it with what that overrides. */
export function effectiveCustomization(set?: Customization | null, overrides?: Overrides | null): Customization {
  return agreeingActions(overlay(set ?? defaultCustomization, overrides ?? {}) as Customization)
}

/** The settings of a site after a client sent them: its actions agree, and titles in other languages stay where it knows none. */
export function changeCustomization(
  before: Customization,
  sent: z.output<typeof SiteCustomizationInput>,
): Customization {
  const { localizedTitle = before.localizedTitle, ...settings } = sent
  const titles = localizedTitle && { localizedTitle }
  return { ...settings, ...titles, ...settleActions(sent, { before, defaults: defaultCustomization }) }
}

/** Settings of a site as they are stored: from before, they have no colors of code, no list of actions and no accounts. */
export type StoredCustomization = Omit<Customization, 'styling' | 'pageActions' | 'socialAccounts'> & {
  styling: Omit<Customization['styling'], 'codeTheme'> & Partial<Pick<Customization['styling'], 'codeTheme'>>
  pageActions: Omit<Customization['pageActions'], 'items'> & Partial<Pick<Customization['pageActions'], 'items'>>
  socialAccounts?: Customization['socialAccounts']
}

/** Stored settings with the defaults of what they do not have. */
export function completeCustomization(stored: StoredCustomization): Customization {
  const { styling, pageActions, socialAccounts = [] } = stored
  return agreeingActions({
    ...stored,
    socialAccounts,
    styling: { ...styling, codeTheme: styling.codeTheme ?? defaultCodeTheme },
    pageActions: { ...pageActions, items: pageActions.items ?? [] },
  })
}

/** A customization with all switched off that offers the site to AI agents, or answers by one. */
export function withoutAgents(customization: Customization): Customization {
  const items = customization.pageActions.items.filter(item => item === 'git' || item === 'pdf')
  const pageActions = { externalAI: false, markdown: false, mcp: false, items }
  return { ...customization, ai: { mode: 'none' }, pageActions }
}

/** A customization without what only those who manage the site may read. */
export function withoutInstructions({ ai, ...customization }: Customization): Customization {
  const { instructions: _instructions, ...rest } = ai
  return { ...customization, ai: rest }
}

/** The overrides of a space after a change. */
export function changeOverrides(before: Overrides, changes: OverrideChanges): Overrides {
  return withoutUnset(overlay(before, changes as Overrides)) as Overrides
}

function overlay(below: object, above: Overrides, path = ''): Overrides {
  const result: Overrides = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const inner = `${path}${key}`
    const isGroup = groups.has(inner) && isObject(value)
    if (value !== undefined) result[key] = isGroup ? overlay(objectAt(result, key), value, `${inner}.`) : value
  }
  return result
}

/** Without what is null, and without groups of which nothing is left. */
function withoutUnset(overrides: Overrides, path = ''): Overrides {
  const entries = Object.entries(overrides).flatMap(([key, value]): [string, unknown][] => {
    const inner = `${path}${key}`
    if (value === null || value === undefined) return []
    if (!groups.has(inner) || !isObject(value)) return [[key, value]]
    const group = withoutUnset(value, `${inner}.`)
    return Object.keys(group).length > 0 ? [[key, group]] : []
  })
  return Object.fromEntries(entries)
}

function objectAt(value: Overrides, key: string): object {
  const field = value[key]
  return isObject(field) ? field : {}
}

function isObject(value: unknown): value is Overrides {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
