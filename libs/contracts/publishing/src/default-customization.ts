import type { z } from 'zod'
import { defaultCodeTheme } from './customization-parts.ts'
import type { SiteCustomizationSettings } from './customization.ts'

const both = <Value>(value: Value) => ({ light: value, dark: value })

/** How a site looks of which nobody has changed anything. */
export const defaultCustomization: z.output<typeof SiteCustomizationSettings> = {
  styling: {
    theme: 'clean',
    primaryColor: { light: '#1f5fd6', dark: '#8ab4ff' },
    infoColor: both('#3b82f6'),
    successColor: both('#10b981'),
    warningColor: both('#f59e0b'),
    dangerColor: both('#ef4444'),
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'IBMPlexMono',
    codeTheme: defaultCodeTheme,
    background: 'plain',
    // The set of icons that a reader without a license has is complete in this style only.
    icons: 'solid',
    sidebar: { background: 'default', list: 'default' },
    search: 'prominent',
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true, mcp: true, items: ['markdown', 'mcp', 'pdf'] },
  socialAccounts: [],
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  // With a cookie, the browsers of readers would call the application.
  insights: { trackingCookie: false },
}
