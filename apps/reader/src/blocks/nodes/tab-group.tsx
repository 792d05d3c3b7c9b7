import type { ComponentChildren } from 'preact'
import { Icon } from '../icons/icon.tsx'
import { nextOf, uniqueId, type Context } from '../model/context.ts'

/** A tab and what it shows. */
export interface TabItem {
  title: string
  icon?: string | undefined
  id?: string | undefined
  content: ComponentChildren
}

/**
 * Tabs. Without a script all panels stand below each other under their titles; a script shows the list, hides all panels but one,
 * and keeps tabs of the same titles in step.
 */
export function tabGroup(tabs: readonly TabItem[], context: Context, isFullWidth = false): ComponentChildren {
  const items = tabs.map(tab => {
    const id = uniqueId(tab.id, context, 'tab')
    return { ...tab, id, tabId: uniqueId(`${id}-tab`, context) }
  })
  const label = context.t('blocks.tabs', { number: nextOf(context.state, 'tabs') })
  return (
    <div class="tabs" data-tabs data-full-width={isFullWidth || undefined}>
      <div class="tab-list" role="tablist" aria-label={label} hidden>
        {items.map(({ title, icon, id, tabId }, at) => (
          <button
            type="button"
            role="tab"
            id={tabId}
            aria-controls={id}
            aria-selected={at === 0 ? 'true' : 'false'}
            tabindex={at === 0 ? 0 : -1}
            data-tab-title={title}
          >
            <Icon name={icon} />
            {title}
          </button>
        ))}
      </div>
      {items.map(({ title, icon, id, tabId, content }) => (
        <div class="tab-panel" role="tabpanel" id={id} aria-labelledby={tabId} data-tab-title={title}>
          <p class="tab-title" dir="auto">
            <Icon name={icon} />
            {title}
          </p>
          {content}
        </div>
      ))}
    </div>
  )
}
