import { renderToString } from 'preact-render-to-string'
import type { Translate } from '../i18n/index.ts'

/** A message, and where it leads. */
interface PlainMessage {
  title: string
  text: string
  link?: { href: string; text: string }
  t: Translate
}

/** Renders a message where no site is known: it has no style sheet, so that nothing else has to work. */
export function renderPlain({ title, text, link, t }: PlainMessage): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <p>{text}</p>
          {link && (
            <p>
              <a href={link.href}>{link.text}</a>
            </p>
          )}
        </main>
        <footer>
          <small>{t('poweredBy', { name: 'Recto' })}</small>
        </footer>
      </body>
    </html>
  )
  return `<!doctype html>${renderToString(page)}`
}
