import { expect, test } from '@jest/globals'
import { localizedText, type ByLanguage } from './localized-text.ts'

test.each<[ByLanguage, string, string]>([
  [undefined, 'de', 'Guides'],
  [null, 'de', 'Guides'],
  [{}, 'de', 'Guides'],
  [{ de: 'Anleitungen' }, 'de', 'Anleitungen'],
  [{ de: 'Anleitungen' }, 'DE', 'Anleitungen'],
  [{ de: 'Anleitungen' }, 'de-AT', 'Anleitungen'],
  [{ de: 'Anleitungen' }, 'fr', 'Guides'],
  [{ pt: 'Guias', 'pt-br': 'Manuais' }, 'pt-br', 'Manuais'],
  [{ 'pt-br': 'Manuais' }, 'pt', 'Guides'],
  [{ de: '' }, 'de', 'Guides'],
  [{}, 'constructor', 'Guides'],
])('of %j, readers of %s see %s', (byLanguage, language, expected) =>
  expect(localizedText('Guides', byLanguage, language)).toBe(expected),
)
