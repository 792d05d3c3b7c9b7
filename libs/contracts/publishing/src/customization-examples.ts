const both = (value: string) => ({ light: value, dark: value })
const color = both('#2b59ff')

/** How a site looks, complete. */
export const customizationExample = {
  styling: {
    theme: 'clean',
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    background: 'plain',
    icons: 'solid',
    primaryColor: color,
    infoColor: color,
    successColor: color,
    warningColor: color,
    dangerColor: color,
    font: 'Inter',
    monospaceFont: 'FiraCode',
    search: 'subtle',
    sidebar: { background: 'default', list: 'default' },
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  ai: { mode: 'search' },
  externalLinks: { target: 'self' },
  pdf: { enabled: true },
  feedback: { enabled: false },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true, mcp: true },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false },
}

/** Settings of a site with a link to each kind of target in each place. */
export const linkingExamples = [
  { kind: 'space', space: '{spaceId}' },
  { kind: 'page', space: '{spaceId}', page: '{pageId}' },
  { kind: 'anchor', anchor: 'a', space: '{spaceId}', page: '{pageId}' },
  { kind: 'file', file: '{fileId}' },
  { kind: 'user', user: '{userId}' },
  { kind: 'collection', collection: '{collectionId}' },
  { kind: 'reusable-content', reusableContent: '{reusableContentId}', space: '{spaceId}' },
  { kind: 'tag', tag: 'none', space: '{spaceId}' },
  { kind: 'openapi', spec: '{specSlug}' },
].map(to => {
  const links = [{ title: 'There', to }]
  return {
    header: { preset: 'default', primaryLink: to, links: [{ title: 'There', to, links }] },
    footer: { groups: [{ title: 'More', links }] },
    announcement: { enabled: true, message: 'News', style: 'info', link: { title: 'There', to } },
  }
})
