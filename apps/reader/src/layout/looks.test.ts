import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const parts = new URL('../styles/parts/', import.meta.url)
const styles = readdirSync(parts).map(name => readFileSync(new URL(name, parts), 'utf8'))

/** Looks of the customization that the classes of a page stand for; what is not here is the look without any class. */
test.each([
  'sidebar-filled',
  'list-pill',
  'list-line',
  'depth-flat',
  'links-accent',
  'search-prominent',
  'as-button-primary',
  'as-button-secondary',
  'notice-warning',
  'notice-danger',
  'notice-success',
])('a site that is set to %s looks otherwise', look => {
  expect(styles.some(text => new RegExp(`\\.${look}\\b[^{}]*\\{`).test(text))).toBe(true)
})
