/** Closes menus that were clicked beside, or in which something was chosen. */
export function closeMenus({ target }: Event): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]'))
    if (!(target instanceof Node) || !menu.contains(target)) menu.open = false
}

document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  const menu = document.querySelector<HTMLDetailsElement>('details[data-menu][open]')
  if (!menu) return
  menu.open = false
  menu.querySelector('summary')?.focus()
})

/** Scrolls the navigation, not the page, until the current entry is in sight. */
export function showCurrentEntry(): void {
  const entry = document.querySelector<HTMLElement>('#recto-navigation [aria-current="page"]')
  const navigation = document.getElementById('recto-navigation')
  if (!entry || !navigation) return
  const { top, bottom } = entry.getBoundingClientRect()
  const view = navigation.getBoundingClientRect()
  if (top < view.top || bottom > view.bottom) navigation.scrollTop += top - view.top - view.height / 3
}
