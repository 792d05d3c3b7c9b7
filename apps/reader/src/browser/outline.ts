import { namedBy } from './fragments.ts'

let stop = (): void => undefined

/** Marks the heading in the outline that is being read, while the page scrolls. */
export function markOutline(): void {
  stop()
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-outline] a')]
  const headings = links.flatMap(link => {
    const heading = namedBy(link.hash)
    return heading ? [{ heading, link }] : []
  })
  if (headings.length === 0) return
  const mark = (): void => {
    const line = innerHeight / 4
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const passed = headings.filter(({ heading }) => heading.getBoundingClientRect().top <= line)
    const current = (isAtEnd ? headings : passed).at(-1) ?? headings[0]
    for (const { link } of headings)
      if (link === current?.link) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
  }
  let isWaiting = false
  const onScroll = (): void => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      mark()
    })
  }
  addEventListener('scroll', onScroll, { passive: true })
  stop = () => removeEventListener('scroll', onScroll)
  mark()
}
