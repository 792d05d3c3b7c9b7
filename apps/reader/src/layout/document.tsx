import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { directionOf } from '../i18n/index.ts'
import { fontCss } from '../theme/fonts.ts'
import { codeCss } from '../theme/code-theme.rules.ts'
import { headerCss, themeCss } from '../theme/theme.rules.ts'
import { Footer } from './footer.tsx'
import { Announcement, emojiOf, Header, PreviewNotice } from './header.tsx'
import { Navigation } from './navigation.tsx'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { VariantNotice } from './variants.tsx'
import { answersQuestions, type FrameView } from './view.ts'

/** The head of a page, besides how the site looks. */
export interface Head {
  title: string
  description?: string | undefined
  /** The published URL of the page. */
  canonical?: string | undefined
  isIndexed: boolean
  /** Other forms of the page, by their media type, and the same page elsewhere, by its language. */
  alternates?: { type?: string; hreflang?: string; href: string; title?: string }[]
  image?: string | undefined
  /** Shows formulas. */
  hasMath?: boolean
  /** Structured data (JSON-LD 1.1). */
  data?: object
  publishedAt?: string | undefined
  changedAt?: string | undefined
}

/** The part between header and footer. */
export interface Framed {
  head: Head
  current?: TreePage | undefined
  main: ComponentChildren
  outline?: ComponentChildren
}

/** Renders a whole page of a site. */
export function renderDocument(view: FrameView, framed: Framed): string {
  return `<!doctype html>${renderToString(<Document view={view} framed={framed} />)}`
}

function Document({ view, framed }: { view: FrameView; framed: Framed }) {
  const { customization, language, t } = view
  const { styling, themes } = customization
  const classes = [
    `theme-${styling.theme}`,
    `sidebar-${styling.sidebar.background}`,
    `list-${styling.sidebar.list}`,
    `depth-${styling.depth}`,
    `links-${styling.links}`,
    `search-${styling.search}`,
  ]
  return (
    <html
      lang={language}
      dir={directionOf(language)}
      class={classes.join(' ')}
      data-theme={themes.default === 'dark' ? 'dark' : 'light'}
      data-default-theme={themes.default}
    >
      <head>
        <HeadTags view={view} head={framed.head} />
      </head>
      <body data-root={view.site.links.root} data-space={view.site.links.space}>
        <a class="skip" href="#recto-content">
          {t('skipToContent')}
        </a>
        <PreviewNotice view={view} />
        <Announcement view={view} />
        <VariantNotice view={view} current={framed.current} />
        <Header view={view} current={framed.current} />
        <div class="layout">
          <Navigation view={view} current={framed.current} />
          <main id="recto-content" tabIndex={-1}>
            {framed.main}
          </main>
          {framed.outline}
        </div>
        <Footer view={view} />
      </body>
    </html>
  )
}

/**
 * Runs before anything shows, so that no page flashes in the other theme: that of the visitor's system, if the site says so, and the
 * visitor's choice, unless the site has one theme.
 */
function themeScript({ default: theme, toggeable }: FrameView['customization']['themes']): string {
  const system = `if(matchMedia('(prefers-color-scheme: dark)').matches)e.dataset.theme='dark';`
  const choice = `let t;try{t=localStorage.getItem('recto-theme')}catch{}if(t==='light'||t==='dark')e.dataset.theme=t;`
  const parts = [theme === 'system' ? system : '', toggeable ? choice : '']
  return `(()=>{const e=document.documentElement;${parts.join('')}e.classList.add('scripted')})()`
}

function HeadTags({ view, head }: { view: FrameView; head: Head }) {
  const { customization, assets, nonce, title, site } = view
  const fonts = fontCss(customization.styling, site.links.root)
  const { primaryColor } = customization.styling
  return (
    <>
      <meta charset="utf-8" />
      <title>{head.title === title ? title : `${head.title} | ${title}`}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {head.description !== undefined && <meta name="description" content={head.description} />}
      {!head.isIndexed && <meta name="robots" content="noindex" />}
      <meta name="generator" content="Recto" />
      <meta name="theme-color" content={primaryColor.light} />
      {head.canonical !== undefined && <link rel="canonical" href={head.canonical} />}
      {head.alternates?.map(({ type, hreflang, href, title }) => (
        <link rel="alternate" type={type} hreflang={hreflang} href={href} title={title} />
      ))}
      <SocialTags view={view} head={head} />
      <FavIcon view={view} />
      {fonts.files.map(file => (
        <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href={assets.of(file)} />
      ))}
      <link rel="stylesheet" href={assets.style} />
      {head.hasMath && <link rel="stylesheet" href={assets.mathStyle} />}
      {fonts.sheets.map(sheet => (
        <link rel="stylesheet" href={assets.of(sheet)} />
      ))}
      <style
        nonce={nonce}
        dangerouslySetInnerHTML={{
          __html: `${themeCss(customization)}${headerCss(customization)}${codeCss(customization)}${fonts.css}`,
        }}
      />
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: themeScript(customization.themes) }} />
      <script type="module" nonce={nonce} src={assets.script} />
      {answersQuestions(view) && <script type="module" nonce={nonce} src={assets.of('ask.js')} />}
      {head.data && (
        <script
          type="application/ld+json"
          nonce={nonce}
          dangerouslySetInnerHTML={{ __html: jsonForScript(head.data) }}
        />
      )}
    </>
  )
}

/** JSON that cannot end the script it stands in (HTML, 4.12.1.3). */
export function jsonForScript(value: object): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** Open Graph, which other sites show links by. */
function SocialTags({ view: { title, customization, language }, head }: { view: FrameView; head: Head }) {
  const image = head.image ?? customization.socialPreview.url
  return (
    <>
      <meta property="og:title" content={head.title} />
      <meta property="og:site_name" content={title} />
      <meta property="og:type" content="article" />
      <meta property="og:locale" content={language.replace('-', '_')} />
      {head.description !== undefined && <meta property="og:description" content={head.description} />}
      {head.canonical !== undefined && <meta property="og:url" content={head.canonical} />}
      {image !== undefined && <meta property="og:image" content={image} />}
      {head.changedAt !== undefined && <meta property="article:modified_time" content={head.changedAt} />}
      <meta name="twitter:card" content={image === undefined ? 'summary' : 'summary_large_image'} />
    </>
  )
}

/** A picture of an emoji, as a URL that holds it. */
function emojiPicture(emoji: string): string {
  const svg = (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
      <text y=".9em" font-size="90">
        {emoji}
      </text>
    </svg>
  )
  return `data:image/svg+xml,${encodeURIComponent(renderToString(svg))}`
}

function FavIcon({ view: { customization, site, assets } }: { view: FrameView }) {
  const own = 'icon' in customization.favicon ? customization.favicon : undefined
  const siteIcon = site.published.site.icon
  const icon = own?.icon ?? (siteIcon && 'icon' in siteIcon ? siteIcon.icon : undefined)
  const emoji = emojiOf({ customization, site })
  if (!icon && emoji !== undefined) return <link rel="icon" href={emojiPicture(emoji)} type="image/svg+xml" />
  if (!icon) return <link rel="icon" href={assets.of('favicon.svg')} type="image/svg+xml" />
  return (
    <>
      <link rel="icon" href={icon.light} media="(prefers-color-scheme: light)" />
      <link rel="icon" href={icon.dark} media="(prefers-color-scheme: dark)" />
    </>
  )
}
