import { countSearch } from './events.ts'
import { visit } from './page-changes.ts'

interface Hit {
  href: string
  title: string
  place?: string
  sections: { href: string; title: string; text: string }[]
}
interface SearchReply {
  hits: Hit[]
  status: string
}

/** Milliseconds without a key until the search begins. */
const pause = 150
/** Milliseconds after which a search counts as what somebody looked for. */
const settledAfterMs = 1_500
const maxSections = 2

/** Searches as one types, with the keyboard: what is found stands below the field. */
export function mountSearch(): void {
  const input = document.querySelector<HTMLInputElement>('input[data-search]')
  const form = input?.form
  if (!input || !form || form.querySelector('[role="listbox"]')) return
  const list = document.createElement('div')
  Object.assign(list, { id: 'recto-search-results', className: 'search-results', hidden: true })
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', input.getAttribute('aria-label') ?? '')
  const status = document.createElement('p')
  status.className = 'visually-hidden'
  status.setAttribute('role', 'status')
  form.append(list, status)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
  }))
    input.setAttribute(name, value)
  new Search({ input, list, status, action: form.action })
}

interface Parts {
  input: HTMLInputElement
  list: HTMLElement
  status: HTMLElement
  action: string
}

class Search {
  readonly #parts: Parts
  #running: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #counting: ReturnType<typeof setTimeout> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    const { input, list } = parts
    input.addEventListener('input', () => this.#typed())
    input.addEventListener('keydown', event => this.#key(event))
    input.addEventListener('focus', () => list.childElementCount > 0 && this.#open(true))
    input.form?.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && input.form?.contains(relatedTarget))) this.#open(false)
    })
  }

  #typed(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#counting)
    const query = this.#parts.input.value.trim()
    if (query.length < 2) {
      this.#running?.abort()
      this.#show([])
      return
    }
    this.#timer = setTimeout(() => void this.#find(query), pause)
    this.#counting = setTimeout(() => countSearch(query), settledAfterMs)
  }

  async #find(query: string): Promise<void> {
    this.#running?.abort()
    const own = (this.#running = new AbortController())
    const url = `${this.#parts.action}.json?q=${encodeURIComponent(query)}`
    try {
      const response = await fetch(url, { signal: own.signal })
      if (!response.ok) throw new Error(String(response.status))
      const { hits, status } = (await response.json()) as SearchReply
      this.#show(hits, status)
    } catch {
      if (!own.signal.aborted) this.#show([], this.#parts.input.dataset['failed'])
    }
  }

  #show(hits: Hit[], status = ''): void {
    const { list, status: live } = this.#parts
    list.replaceChildren(...hits.flatMap(hit => optionsOf(hit)))
    if (hits.length === 0 && status !== '') {
      const none = document.createElement('p')
      none.textContent = status
      list.append(none)
    }
    for (const [at, option] of this.#options().entries()) option.id = `recto-search-option-${at}`
    live.textContent = status
    this.#open(list.childElementCount > 0)
  }

  #open(isOpen: boolean): void {
    const { input, list } = this.#parts
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) this.#select(undefined)
  }

  #options(): HTMLAnchorElement[] {
    return [...this.#parts.list.querySelectorAll<HTMLAnchorElement>('[role="option"]')]
  }

  #select(option: HTMLAnchorElement | undefined): void {
    const { input } = this.#parts
    for (const each of this.#options()) each.setAttribute('aria-selected', String(each === option))
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  #key(event: KeyboardEvent): void {
    const options = this.#options()
    const at = options.findIndex(option => option.getAttribute('aria-selected') === 'true')
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      this.#open(options.length > 0)
      const step = event.key === 'ArrowDown' ? 1 : -1
      const next = at === -1 && step === -1 ? options.length - 1 : at + step
      this.#select(options[(next + options.length) % options.length])
    }
    const chosen = options[at]
    if (event.key === 'Enter' && chosen && !this.#parts.list.hidden) {
      event.preventDefault()
      this.#open(false)
      this.#parts.input.blur()
      void visit(new URL(chosen.href), { isNew: true })
    }
    if (event.key === 'Escape') {
      if (this.#parts.list.hidden) this.#parts.input.blur()
      this.#open(false)
    }
  }
}

function optionsOf({ href, title, place, sections }: Hit): HTMLAnchorElement[] {
  const own = sections.filter(section => section.title !== title).slice(0, maxSections)
  const [first] = sections
  return [
    option({ href, title, note: place, text: own.length > 0 ? undefined : first?.text }),
    ...own.map(section => option({ ...section, note: undefined, isSection: true })),
  ]
}

interface Shown {
  href: string
  title: string
  note: string | undefined
  text: string | undefined
  isSection?: boolean
}

function option({ href, title, note, text, isSection = false }: Shown): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = href
  link.setAttribute('role', 'option')
  link.setAttribute('aria-selected', 'false')
  link.tabIndex = -1
  if (isSection) link.className = 'is-section'
  const add = (tag: string, content: string | undefined): void => {
    if (content === undefined || content === '') return
    const element = document.createElement(tag)
    element.textContent = content
    link.append(element)
  }
  add('strong', title)
  add('em', note)
  add('small', text)
  return link
}

document.addEventListener('keydown', event => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
  const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isShortcut) return
  event.preventDefault()
  const input = document.querySelector<HTMLInputElement>('input[data-search]')
  input?.focus()
  input?.select()
})
