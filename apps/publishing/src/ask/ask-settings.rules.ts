import { Failure } from '@recto/operation'

/** The settings of a site for answers. */
export interface AskSettings {
  instructions: string | undefined
  /** Questions that those who manage the site suggest. */
  suggestions: readonly string[]
}

interface AISettings {
  mode: 'none' | 'search' | 'assistant'
  instructions?: string | undefined
  suggestions?: readonly string[] | undefined
}

/** The settings of a site that answers questions; throws `conflict` where those who manage it have not switched that on. */
export function askSettings(site: { agentsContext: string }, ai: AISettings | null | undefined): AskSettings {
  if (site.agentsContext === 'excluded') throw off('it excludes agents')
  if (!ai || ai.mode === 'none') throw off('`ai.mode` of its customization is none')
  const { instructions, suggestions = [] } = ai
  return { instructions, suggestions }
}

function off(reason: string): Failure {
  return new Failure('conflict', `The site does not answer questions: ${reason}`)
}
