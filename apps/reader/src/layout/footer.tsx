import { safeUrl } from '../blocks/index.ts'
import { CustomLink } from './header.tsx'
import { customLink } from './links.rules.ts'
import { SocialAccounts } from './social.tsx'
import { socialLinks } from './social.rules.ts'
import type { FrameView } from './view.ts'

/** Links, copyright and policy of the site. */
export function Footer({ view: { customization, site, t, localized } }: { view: FrameView }) {
  const { footer, privacyPolicy, trademark, socialAccounts } = customization
  const policy = privacyPolicy.url === undefined ? undefined : safeUrl(privacyPolicy.url)
  const hasAccounts = socialLinks(socialAccounts, 'footer').length > 0
  const isEmpty = !footer.logo && footer.groups.length === 0 && footer.copyright === undefined && !hasAccounts
  if (isEmpty && policy === undefined && !trademark.enabled) return null
  return (
    <footer class="footer">
      {footer.logo && (
        <div class="footer-logo">
          <img class="light-only" src={footer.logo.light} alt="" loading="lazy" />
          <img class="dark-only" src={footer.logo.dark} alt="" loading="lazy" />
        </div>
      )}
      {footer.groups.length > 0 && (
        <div class="footer-groups">
          {footer.groups.map(({ title, localizedTitle, links }) => (
            <section>
              <h2>{localized(title, localizedTitle)}</h2>
              <ul>
                {links.map(({ title, localizedTitle, to }) => (
                  <li>
                    <CustomLink link={customLink(to, site)} title={localized(title, localizedTitle)} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      <SocialAccounts accounts={socialAccounts} place="footer" />
      <p class="footer-end">
        {footer.copyright !== undefined && <span>{footer.copyright}</span>}
        {policy !== undefined && <a href={policy}>{t('privacyPolicy')}</a>}
        {trademark.enabled && <span>{t('poweredBy', { name: 'Recto' })}</span>}
      </p>
    </footer>
  )
}
