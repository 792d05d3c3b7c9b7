/** Milliseconds for which a button says that something was copied. */
const copiedFor = 2_000

/** Buttons that need a script. */
const scripted = '[data-copy], [data-copy-page], [data-embed]'

/** Shows the buttons that need a script. */
export function mountBlocks(): void {
  for (const button of document.querySelectorAll<HTMLElement>(scripted)) button.hidden = false
}

/** Copies the code beside its button. */
export function copyCode(target: Element): void {
  const button = target.closest<HTMLElement>('[data-copy]')
  const code = button?.closest('figure')?.querySelector<HTMLElement>('pre code')
  if (!button || !code || button.classList.contains('is-copied')) return
  void navigator.clipboard?.writeText((code.textContent ?? '').replace(/\n$/, '')).then(
    () => showCopied(button),
    () => undefined,
  )
}

/** Copies the Markdown of the page. */
export function copyPage(target: Element): void {
  const button = target.closest<HTMLElement>('[data-copy-page]')
  const address = button?.dataset['copyPage']
  if (!button || address === undefined || button.classList.contains('is-copied')) return
  const text = fetch(address).then(async response => {
    if (!response.ok) throw new Error(`The Markdown was answered with ${response.status}`)
    return new Blob([await response.text()], { type: 'text/plain' })
  })
  // Browsers let a page write to the clipboard at a click; this one is waited for, the text is not.
  void navigator.clipboard?.write([new ClipboardItem({ 'text/plain': text })]).then(
    () => showCopied(button),
    () => undefined,
  )
}

/** Says for a moment that a button has copied something. */
function showCopied(button: HTMLElement): void {
  const label = button.textContent
  button.classList.add('is-copied')
  button.textContent = button.dataset['copied'] ?? label
  setTimeout(() => {
    button.classList.remove('is-copied')
    button.textContent = label
  }, copiedFor)
}

/** Shows what a page embeds from elsewhere, once somebody wants it: nothing is loaded from there before. */
export function loadEmbed(target: Element): void {
  const button = target.closest<HTMLElement>('[data-embed]')
  const url = button?.dataset['embed']
  if (!button || url === undefined || !url.startsWith('https://')) return
  const frame = document.createElement('iframe')
  frame.src = url
  frame.title = button.dataset['embedTitle'] ?? new URL(url).host
  frame.referrerPolicy = 'strict-origin-when-cross-origin'
  frame.allow = 'fullscreen; picture-in-picture'
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-presentation allow-popups')
  frame.className = 'embed-frame'
  button.replaceWith(frame)
  frame.focus()
}
