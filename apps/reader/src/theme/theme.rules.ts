import Color from 'color'
import type { Customization } from '../api/types.ts'

type Theme = 'light' | 'dark'
type Variables = Record<`--${string}`, string>

const surfaces = {
  light: { background: '#ffffff', surface: '#f6f7f9', text: '#1c2024', muted: '#5b626c', border: '#e1e4e8' },
  dark: { background: '#15171a', surface: '#1e2125', text: '#e8eaed', muted: '#a3abb5', border: '#33383f' },
} as const

/** Contrast of text as WCAG 2.2 AA has it, with a little room for the soft backgrounds that text can stand on. */
const textContrast = 4.8
/** How much of a color a soft background has. */
const softness = { light: 0.08, dark: 0.16 } as const
const mixStep = 0.05

const radii = { straight: '0', rounded: '0.5rem', circular: '1rem' } as const

/** The custom properties of a site: CSS for the light theme, and for the dark one. */
export function themeCss({ styling }: Pick<Customization, 'styling'>): string {
  const shared = { '--radius': radii[styling.corners] } as const
  const light = block(':root', { ...shared, 'color-scheme': 'light', ...variablesOf(styling, 'light') })
  const dark = block(':root[data-theme="dark"]', { 'color-scheme': 'dark', ...variablesOf(styling, 'dark') })
  return `${light}${dark}`
}

function variablesOf(styling: Customization['styling'], theme: Theme): Variables {
  const base = surfacesOf(styling, theme)
  const primary = styling.primaryColor[theme]
  const themeValues = {
    primary: styling.primaryColor,
    info: styling.infoColor,
    success: styling.successColor,
    warning: styling.warningColor,
    danger: styling.dangerColor,
  }
  const colors = Object.entries(themeValues).flatMap(([name, color]): [string, string][] => {
    const soft = Color(base.background).mix(Color(color[theme]), softness[theme]).hex()
    return [
      [`--color-${name}`, readable(color[theme], [base.background, soft, base.surface])],
      [`--color-${name}-soft`, soft],
    ]
  })
  return {
    ...Object.fromEntries(Object.entries(base).map(([name, color]) => [`--color-${name}`, color])),
    ...Object.fromEntries(colors),
    '--color-accent': primary,
    '--color-on-accent': textOn(primary),
  }
}

/** The surfaces of a theme; those of a site with a tint, or of a theme that is not plain, have some of its color. */
function surfacesOf({ theme: style, tint, primaryColor, background }: Customization['styling'], theme: Theme) {
  const base = surfaces[theme]
  const color = tint?.color[theme] ?? (style === 'clean' && background === 'plain' ? undefined : primaryColor[theme])
  if (color === undefined) return base
  const mixed = (surface: string, weight: number) => Color(surface).mix(Color(color), weight).hex()
  return {
    ...base,
    background: background === 'match' || style === 'muted' ? mixed(base.background, 0.03) : base.background,
    surface: mixed(base.surface, 0.05),
    border: mixed(base.border, 0.08),
  }
}

/** A color that text can have on all of these backgrounds: darker or lighter until the contrast is enough. */
export function readable(color: string, backgrounds: readonly string[]): string {
  const isDark = Color(backgrounds[0]).isDark()
  const end = Color(isDark ? '#ffffff' : '#000000')
  const isEnough = (each: { contrast(other: unknown): number }) =>
    backgrounds.every(background => each.contrast(Color(background)) >= textContrast)
  for (let weight = 0; weight < 1; weight += mixStep) {
    const mixed = Color(color).mix(end, weight)
    if (isEnough(mixed as never)) return mixed.hex()
  }
  return end.hex()
}

/** Black or white, whichever is read better on a color. */
export function textOn(color: string): string {
  const white = Color(color).contrast(Color('#ffffff'))
  return white >= Color(color).contrast(Color('#000000')) ? '#ffffff' : '#000000'
}

function block(selector: string, properties: Record<string, string>): string {
  const lines = Object.entries(properties).map(([name, value]) => `${name}:${value}`)
  return `${selector}{${lines.join(';')}}`
}

/** Colors of the header: the site's own, where its preset is `custom`, or those of the preset. */
export function headerCss({ header, styling }: Pick<Customization, 'header' | 'styling'>): string {
  const colors = (theme: Theme): Record<string, string> => {
    const { preset, backgroundColor, linkColor } = header
    const primary = styling.primaryColor[theme]
    const background =
      preset === 'custom' && backgroundColor
        ? backgroundColor[theme]
        : preset === 'bold' || styling.theme === 'bold'
          ? primary
          : preset === 'contrast'
            ? surfaces[theme].text
            : undefined
    if (background === undefined) return {}
    const link = preset === 'custom' && linkColor ? readable(linkColor[theme], [background]) : textOn(background)
    // A button of the header's own color would not be seen.
    const isSame = background.toLowerCase() === primary.toLowerCase()
    const button = isSame ? { '--header-button': link, '--header-on-button': background } : {}
    return { '--header-background': background, '--header-text': link, ...button }
  }
  return `${block(':root', colors('light'))}${block(':root[data-theme="dark"]', colors('dark'))}`
}
