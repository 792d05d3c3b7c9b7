import { markOutline } from './outline.ts'
import { countPageView, sendFeedback } from './events.ts'
import { copyCode, copyPage, loadEmbed, mountBlocks } from './blocks.ts'
import { mountDiagrams } from './diagrams.ts'
import './changes.ts'
import { closeMenus, showCurrentEntry } from './menus.ts'
import { followLinks, onPageChange } from './page-changes.ts'
import { mountSearch } from './search.ts'
import { mountTabs, selectTab } from './tabs.ts'
import { filterUpdates, mountUpdates } from './updates.ts'
import { mountTheme, switchTheme } from './theme.ts'

/** Mounts the behaviour of a page once it shows: the first one, and each that replaces it. */
function mountPage(): void {
  mountTheme()
  mountSearch()
  mountTabs()
  mountBlocks()
  mountUpdates()
  mountDiagrams()
  markOutline()
  showCurrentEntry()
  countPageView()
}

const handlers = [switchTheme, copyCode, copyPage, loadEmbed, selectTab, filterUpdates, sendFeedback]

document.addEventListener('click', event => {
  closeMenus(event)
  const { target } = event
  if (target instanceof Element) for (const handle of handlers) handle(target)
})
followLinks()
onPageChange(mountPage)
mountPage()
