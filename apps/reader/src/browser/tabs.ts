import { namedBy } from './fragments.ts'

const key = 'recto-tabs'

/** Makes tabs of panels that stand one below the other, and selects those that were chosen before. */
export function mountTabs(): void {
  const chosen = chosenTitles()
  for (const tabs of document.querySelectorAll<HTMLElement>('[data-tabs]')) {
    for (const list of tabs.querySelectorAll<HTMLElement>('[role="tablist"]')) list.hidden = false
    const buttons = buttonsOf(tabs)
    const hashed = panelOfHash(tabs)
    const button =
      buttons.find(button => button.getAttribute('aria-controls') === hashed) ??
      chosen.map(title => buttons.find(button => titleOf(button) === title)).find(Boolean) ??
      buttons[0]
    if (button) show(tabs, button)
  }
}

/** Selects a tab, and those of its title on the whole page. */
export function selectTab(target: Element): void {
  const button = target.closest<HTMLElement>('[data-tabs] [role="tab"]')
  const tabs = button?.closest<HTMLElement>('[data-tabs]')
  if (!button || !tabs) return
  const { top } = button.getBoundingClientRect()
  show(tabs, button)
  const title = titleOf(button)
  for (const other of document.querySelectorAll<HTMLElement>('[data-tabs]')) {
    const same = buttonsOf(other).find(each => titleOf(each) === title)
    if (other !== tabs && same) show(other, same)
  }
  // The change above must not move the place that the reader looks at.
  scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' })
  remember(title)
}

document.addEventListener('keydown', event => {
  const { target } = event
  if (!(target instanceof HTMLElement) || target.getAttribute('role') !== 'tab') return
  const buttons = [...(target.closest('[role="tablist"]')?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])]
  const at = buttons.indexOf(target)
  const isRtl = getComputedStyle(target).direction === 'rtl'
  const next = {
    ArrowRight: at + (isRtl ? -1 : 1),
    ArrowLeft: at + (isRtl ? 1 : -1),
    Home: 0,
    End: buttons.length - 1,
  }[event.key]
  if (next === undefined) return
  event.preventDefault()
  const button = buttons[(next + buttons.length) % buttons.length]
  button?.focus()
  button?.click()
})

/** Tabs may stand in tabs: only the buttons of the outer ones are its own. */
function buttonsOf(tabs: HTMLElement): HTMLElement[] {
  const all = [...tabs.querySelectorAll<HTMLElement>('[role="tab"]')]
  return all.filter(button => button.closest('[data-tabs]') === tabs)
}

function titleOf(button: HTMLElement): string {
  return button.dataset['tabTitle'] ?? button.textContent?.trim() ?? ''
}

function show(tabs: HTMLElement, selected: HTMLElement): void {
  for (const button of buttonsOf(tabs)) {
    const isSelected = button === selected
    button.setAttribute('aria-selected', String(isSelected))
    button.tabIndex = isSelected ? 0 : -1
    const panel = document.getElementById(button.getAttribute('aria-controls') ?? '')
    if (panel) panel.hidden = !isSelected
  }
}

/** The panel that holds what the address names. */
function panelOfHash(tabs: HTMLElement): string | undefined {
  const target = namedBy(location.hash)
  const panel = target?.closest('[role="tabpanel"]')
  return panel && tabs.contains(panel) ? panel.id : undefined
}

function chosenTitles(): string[] {
  try {
    const titles: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(titles) ? titles.map(String) : []
  } catch {
    return []
  }
}

function remember(title: string): void {
  try {
    localStorage.setItem(key, JSON.stringify([title, ...chosenTitles().filter(each => each !== title)].slice(0, 20)))
  } catch {
    // Without storage the choice holds for this page.
  }
}
