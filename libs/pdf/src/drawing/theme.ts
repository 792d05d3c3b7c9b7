/** A4 in points. */
export const sheet = { width: 595.28, height: 841.89, left: 68, right: 68, top: 64, bottom: 66 }
/** Width and height of what is between the margins. */
export const area = { width: sheet.width - sheet.left - sheet.right, height: sheet.height - sheet.top - sheet.bottom }

/** Colours of the layout. */
export const colors = {
  text: '#1f2937',
  heading: '#0f172a',
  quiet: '#64748b',
  line: '#cbd5e1',
  faint: '#e2e8f0',
  panel: '#f8fafc',
  inlineCode: '#f1f5f9',
  link: '#1d4ed8',
  accent: '#1d4ed8',
} as const

/** Colours of hints, by their style. */
export const hints = {
  info: { fill: '#eff6ff', line: '#2563eb' },
  success: { fill: '#f0fdf4', line: '#16a34a' },
  warning: { fill: '#fffbeb', line: '#d97706' },
  danger: { fill: '#fef2f2', line: '#dc2626' },
} as const

const textColors: Record<string, string> = {
  green: '#15803d',
  blue: '#1d4ed8',
  red: '#b91c1c',
  orange: '#c2410c',
  yellow: '#a16207',
  purple: '#7e22ce',
  $primary: '#1d4ed8',
  $info: '#2563eb',
  $success: '#16a34a',
  $warning: '#d97706',
  $danger: '#dc2626',
}
const pale: Record<string, string> = {
  green: '#dcfce7',
  blue: '#dbeafe',
  red: '#fee2e2',
  orange: '#ffedd5',
  yellow: '#fef9c3',
  purple: '#f3e8ff',
  $primary: '#dbeafe',
  $info: '#dbeafe',
  $success: '#dcfce7',
  $warning: '#fef3c7',
  $danger: '#fee2e2',
}

/** The colour of text, or of its background; undefined for the default. */
export function documentColor(name: string, use: 'text' | 'background'): string | undefined {
  const namedColors = use === 'text' ? textColors : pale
  return Object.hasOwn(namedColors, name) ? namedColors[name] : undefined
}

/** Sizes of text, and the height of a line in them. */
export const sizes = {
  body: 10,
  small: 8.5,
  code: 8.3,
  table: 9,
  title: 24,
  headings: [17, 13.5, 11.5] as const,
  lead: 1.55,
}
