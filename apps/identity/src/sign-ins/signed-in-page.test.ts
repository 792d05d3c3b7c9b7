import { expect, it } from '@jest/globals'
import { signedInPage } from './signed-in-page.ts'

const signedIn = {
  email: 'ada@recto.test',
  organization: 'Docs',
  token: 'recto_1',
  expiresAt: new Date('2026-01-01T00:00:00Z'),
}

it('shows the owner, the organization and the expiry of the token', () => {
  const page = signedInPage(signedIn)
  for (const said of [
    '<strong id="email">ada@recto.test</strong>',
    '<h1>Signed in to Docs</h1>',
    '<code id="token">recto_1</code>',
    '2026-01-01T00:00:00.000Z',
  ])
    expect(page).toContain(said)
})

it('escapes markup in every value', () => {
  const evil = `<script>alert("1")</script>&'`
  const page = signedInPage({ ...signedIn, organization: evil, email: evil })
  expect(page).not.toMatch(/<script|alert\("|href|src=|onload/)
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;')
})
