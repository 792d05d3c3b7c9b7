import { preparePages, searchPages, type IndexedPage, type PreparedPage } from '@recto/text'

/** The search of an exported site: its index is a script, so that it works where no file can be asked for. */
declare global {
  var rectoSearchIndex: IndexedPage[] | undefined
}

/** The folder of the export, as this script was named by the page. */
const root = new URL('..', (document.currentScript as HTMLScriptElement | null)?.src ?? location.href)

/** The pages, prepared by the first search. */
let pages: PreparedPage[] | undefined

function hrefOf(path: string, anchor: string | undefined): string {
  const url = new URL(path.split('/').map(encodeURIComponent).join('/'), root)
  if (anchor !== undefined) url.hash = anchor
  return url.href
}

function showHits(list: HTMLElement, query: string): void {
  pages ??= preparePages(globalThis.rectoSearchIndex ?? [])
  const hits = searchPages(query, pages)
  const links = hits.flatMap(({ page, sections: [section] }) => {
    const link = document.createElement('a')
    link.href = hrefOf(page.path, section?.anchor)
    const title = document.createElement('strong')
    title.textContent = page.title
    const text = document.createElement('span')
    text.textContent = section ? ` ${section.excerpt}` : ''
    link.append(title, text)
    return [link]
  })
  list.replaceChildren(...links)
  list.hidden = links.length === 0
}

function mountSearch(input: HTMLInputElement): void {
  const { form } = input
  if (!form) return
  const list = document.createElement('div')
  list.className = 'search-results'
  list.hidden = true
  form.append(list)
  form.addEventListener('submit', event => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  input.addEventListener('input', () => showHits(list, input.value))
  input.addEventListener('keydown', event => {
    if (event.key === 'Escape') list.hidden = true
  })
}

for (const input of document.querySelectorAll<HTMLInputElement>('input[data-exported-search]')) mountSearch(input)
