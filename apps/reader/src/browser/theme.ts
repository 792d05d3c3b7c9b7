const key = 'recto-theme'

/** Says on the switch which theme shows. */
export function mountTheme(): void {
  const isDark = document.documentElement.dataset['theme'] === 'dark'
  document.querySelector('[data-theme-switch]')?.setAttribute('aria-pressed', String(isDark))
}

/** Switches between light and dark, for this visit and the next ones. */
export function switchTheme(target: Element): void {
  if (!target.closest('[data-theme-switch]')) return
  const { dataset } = document.documentElement
  dataset['theme'] = dataset['theme'] === 'dark' ? 'light' : 'dark'
  mountTheme()
  try {
    localStorage.setItem(key, dataset['theme'])
  } catch {
    // Without storage the choice holds for this page.
  }
}
