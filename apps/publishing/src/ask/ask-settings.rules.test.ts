import { describe, expect, it } from '@jest/globals'
import { askSettings } from './ask-settings.rules.ts'

describe('A site', () => {
  it.each([
    ['included', undefined, 'ai.mode'],
    ['included', null, 'ai.mode'],
    ['included', { mode: 'none' as const }, 'ai.mode'],
    ['excluded', { mode: 'search' as const }, 'excludes agents'],
  ])('whose agents are %s and whose settings are %j answers no questions', (agentsContext, ai, reason) => {
    expect(() => askSettings({ agentsContext }, ai)).toThrow(reason)
  })

  it.each(['search', 'assistant'] as const)('with the mode %s answers, with its instructions and suggestions', mode => {
    expect(
      askSettings({ agentsContext: 'included' }, { mode, instructions: 'Be kind', suggestions: ['Why?'] }),
    ).toEqual({
      instructions: 'Be kind',
      suggestions: ['Why?'],
    })
    expect(askSettings({ agentsContext: 'included' }, { mode })).toEqual({ instructions: undefined, suggestions: [] })
  })
})
