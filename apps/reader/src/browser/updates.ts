/** Shows the buttons that filter updates by tag. */
export function mountUpdates(): void {
  for (const filter of document.querySelectorAll<HTMLElement>('.updates-filter')) filter.hidden = false
}

/** Presses or releases a tag: updates stay that have a pressed one, or all where none is pressed. */
export function filterUpdates(target: Element): void {
  const button = target.closest<HTMLElement>('[data-update-filter]')
  const updates = button?.closest('[data-updates]')
  if (!button || !updates) return
  button.ariaPressed = button.ariaPressed === 'true' ? 'false' : 'true'
  const pressed = [...updates.querySelectorAll<HTMLElement>('[data-update-filter][aria-pressed="true"]')]
  const tags = new Set(pressed.map(({ dataset }) => dataset['updateFilter']))
  for (const update of updates.querySelectorAll<HTMLElement>('.update')) {
    const own = [...update.querySelectorAll<HTMLElement>('.update-head [data-update-tag]')]
    update.hidden = tags.size > 0 && !own.some(({ dataset }) => tags.has(dataset['updateTag']))
  }
}
