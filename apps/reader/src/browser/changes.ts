/** Goes from change to change by the keys N and P; what stands side by side is one change. */
addEventListener('keydown', event => {
  const { key, target, ctrlKey, metaKey, altKey } = event
  const step = key === 'n' ? 1 : key === 'p' ? -1 : 0
  const page = document.querySelector('[data-changes]')
  if (step === 0 || !page || ctrlKey || metaKey || altKey || isTyping(target)) return
  event.preventDefault()
  goFrom(placesIn(page), step)
})

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** The first element of each change: none within another one, and none directly behind one. */
function placesIn(page: Element): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>('[data-change]')].filter(each => {
    const isInside = each.parentElement?.closest('[data-change]') !== null
    return !isInside && !(each.previousSibling instanceof HTMLElement && each.previousSibling.matches('[data-change]'))
  })
}

let current: HTMLElement | undefined

/** Goes on from the change that was shown last while it is in sight; else from what the window shows. */
function goFrom(places: readonly HTMLElement[], step: number): void {
  const at = current ? places.indexOf(current) : -1
  const next = places[at === -1 ? firstAt(places, step) : at + step]
  if (!next) return
  current?.classList.remove('current')
  current = next
  for (let group = next.closest('details'); group; group = group.parentElement?.closest('details') ?? null)
    group.open = true
  next.classList.add('current')
  next.tabIndex = -1
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'center' })
}

function firstAt(places: readonly HTMLElement[], step: number): number {
  const below = places.findIndex(place => place.getBoundingClientRect().top >= 0)
  if (step > 0) return Math.max(0, below)
  return (below === -1 ? places.length : below) - 1
}
