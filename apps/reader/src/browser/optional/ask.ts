/** The last question that somebody chose on a page without an answer: it is asked once the page of questions shows. */
const storageKey = 'recto-ask'
let running: { area: HTMLElement; controller: AbortController } | undefined

interface AnswerEvent {
  html: string
  isLast: boolean
}

const find = <Found extends HTMLElement>(selector: string): Found | null => document.querySelector<Found>(selector)
const answerArea = (): HTMLElement | null => find('[data-ask-answer]')
const mainForm = (): HTMLFormElement | null => find('form[data-ask][data-working]')

document.addEventListener('submit', event => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-ask]')) return
  const question = String(new FormData(form).get('q') ?? '').trim()
  event.preventDefault()
  if (question === '') return
  if (answerArea()) return void ask(question)
  keep(question)
  location.assign(form.action)
})

document.addEventListener('click', event => {
  const target = event.target instanceof Element ? event.target : undefined
  if (target?.closest('[data-ask-stop]')) return stop()
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (isPlain && target?.closest('#recto-search-ask, [data-ask-offer]')) keepTyped()
})

document.addEventListener(
  'keydown',
  event => {
    if (event.key === 'Enter' && find('#recto-search-ask[aria-selected="true"]')) keepTyped()
  },
  { capture: true },
)

function keepTyped(): void {
  keep(find<HTMLInputElement>('input[data-search]')?.value.trim() ?? '')
}

function keep(question: string): void {
  if (question === '') return
  try {
    sessionStorage.setItem(storageKey, question)
  } catch {
    // Without storage the question is typed again.
  }
}

function takeKept(): string {
  try {
    const question = sessionStorage.getItem(storageKey) ?? ''
    sessionStorage.removeItem(storageKey)
    return question
  } catch {
    return ''
  }
}

/** Ends the answer that is being written. */
function stop(): void {
  running?.controller.abort()
}

/** Asks a question, and shows its answer while it is written. */
async function ask(question: string): Promise<void> {
  const form = mainForm()
  const area = answerArea()
  const field = form?.querySelector<HTMLInputElement>('[name="q"]')
  if (!form || !area || !field) return
  stop()
  const own = (running = { area, controller: new AbortController() })
  const { signal } = own.controller
  field.value = question
  // The button that was pressed may go with what shows.
  if (area.contains(document.activeElement)) area.focus({ preventScroll: true })
  setBusy(form, area, true)
  area.replaceChildren()
  scrollTo({ top: 0 })
  try {
    await read(form.action, { question, area, signal })
  } catch {
    if (running === own) addNote(area, (signal.aborted ? form.dataset['stopped'] : form.dataset['failed']) ?? '')
  }
  if (running === own) setBusy(form, area, false)
}

function setBusy(form: HTMLFormElement, area: HTMLElement, isBusy: boolean): void {
  const button = form.querySelector<HTMLElement>('[data-ask-stop]')
  const status = find('[data-ask-status]')
  // A page is read out when it is whole, not with each word.
  area.setAttribute('aria-busy', String(isBusy))
  if (status) status.textContent = isBusy ? (form.dataset['working'] ?? '') : ''
  if (!button) return
  if (!isBusy && button === document.activeElement) area.focus({ preventScroll: true })
  button.hidden = !isBusy
}

function addNote(area: HTMLElement, text: string): void {
  const note = document.createElement('p')
  note.className = 'ask-fault'
  note.textContent = text
  area.append(note)
}

async function read(
  url: string,
  { question, area, signal }: { question: string; area: HTMLElement; signal: AbortSignal },
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'text/event-stream' },
    body: new URLSearchParams({ q: question }),
    redirect: 'manual',
    signal,
  })
  // Whoever has to log in again does so.
  if (response.type === 'opaqueredirect') return location.assign(url)
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let isLast = false; !isLast;) {
    const { done, value } = await reader.read()
    if (done) throw new Error()
    const parts = (text + value).split('\n\n')
    text = parts.pop() ?? ''
    const event = parts.at(-1)
    if (event === undefined) continue
    const answer = JSON.parse(event.slice('data: '.length)) as AnswerEvent
    show(area, answer.html)
    isLast = answer.isLast
  }
}

/** The answer as the reader renders it on its server. */
function show(area: HTMLElement, html: string): void {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  area.replaceChildren(...[...parsed.body.childNodes].map(node => document.importNode(node, true)))
  for (const button of area.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false
}

/** Adds a last result to the search as one types: to ask what was typed. */
function offer(list: HTMLElement): void {
  const link = find<HTMLAnchorElement>('[data-ask-offer]')
  const question = find<HTMLInputElement>('input[data-search]')?.value.trim() ?? ''
  if (!link || question === '' || list.childElementCount === 0 || list.querySelector('#recto-search-ask')) return
  const option = document.createElement('a')
  Object.assign(option, {
    id: 'recto-search-ask',
    href: `${link.href}?q=${encodeURIComponent(question)}`,
    tabIndex: -1,
  })
  option.rel = 'nofollow'
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', 'false')
  const text = document.createElement('span')
  text.textContent = (link.dataset['askOffer'] ?? '').replace('{question}', () => question)
  option.append(text)
  list.append(option)
}

const listObserver = new MutationObserver(() => {
  const list = find('#recto-search-results')
  if (list) offer(list)
})

/** Begins with a page: the first one, and each that replaces it. */
function mount(): void {
  if (running?.area.isConnected === false) stop()
  const list = find('#recto-search-results')
  if (list) listObserver.observe(list, { childList: true })
  if (!answerArea()) return
  const question = takeKept()
  if (question !== '') void ask(question)
}

new MutationObserver(mount).observe(document.body, { childList: true })
mount()
