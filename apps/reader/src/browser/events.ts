/** Where the page's site is, and which page it shows. */
function place(): { events: string; page: string | undefined } {
  const { space = '/' } = document.body.dataset
  return { events: `${space}~recto/events`, page: document.querySelector<HTMLElement>('[data-page]')?.dataset['page'] }
}

function send(event: Record<string, unknown>): void {
  const { events, page } = place()
  if (page !== undefined || event['query'] !== undefined)
    navigator.sendBeacon?.(events, JSON.stringify({ page, ...event }))
}

/** Counts that the page was read; nothing of the reader is sent. */
export function countPageView(): void {
  send({ type: 'page_view' })
}

/** Counts what somebody searched for. */
export function countSearch(query: string): void {
  send({ type: 'search_type_query', query })
}

/** Sends what somebody thinks of the page. */
export function sendFeedback(target: Element): void {
  const rating = target.closest<HTMLElement>('[data-rating]')?.dataset['rating']
  const feedback = target.closest<HTMLElement>('[data-feedback]')
  if (rating === undefined || !feedback) return
  send({ type: 'page_post_feedback', rating })
  const thanks = document.createElement('span')
  thanks.setAttribute('role', 'status')
  thanks.textContent = feedback.dataset['feedback'] ?? ''
  feedback.replaceChildren(thanks)
}
