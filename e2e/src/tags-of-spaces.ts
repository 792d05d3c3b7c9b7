import { aGitServer, aRepository } from '@recto/testing'
import { expect, it } from '@jest/globals'
import { aPublishedSite, ask, type ReaderSites } from './reader-sites.ts'
import { importRepository, request } from './walk.ts'

const log = `{% updates format="full" %}
{% update date="2026-04-22" tags="api,other" %}
News
{% endupdate %}

{% endupdates %}

{% if visitor.claims.never %}
{% updates format="full" %}
{% update date="2026-04-23" tags="secret" %}
More
{% endupdate %}
{% endupdates %}
{% endif %}
`

/** Tests the tags that a repository describes, from the repository to what visitors of a site get. */
export function tagsOfSpaces(sites: () => ReaderSites): void {
  it('shows the labels of the tags that its repository describes, and nothing of those that nobody sees', async () => {
    const files = {
      'README.md': '---\ntags:\n  - tag: beta\n    primary: true\n---\n\n# Home\n',
      'log.md': `# Log\n\n${log}`,
      '.gitbook/tags.yaml':
        '- tag: api\n  label: The API\n  icon: code\n- tag: beta\n  label: In beta\n  color: $warning\n- tag: secret\n  label: A secret\n- 7\n',
    }
    const repository = await aRepository({ files })
    const git = await aGitServer({ repositories: { tagged: repository.path } })
    try {
      const { admin, organizationId } = sites()
      const { id: space } = (await admin.client.orgs.createSpace(organizationId, { title: 'Tagged' } as never)).data
      const { state, warnings } = await importRepository(admin, space, git.url('tagged'))
      expect([state, warnings]).toEqual([
        'success',
        [{ path: '.gitbook/tags.yaml', line: 9, message: expect.stringContaining('tag 4 of the list is left out') }],
      ])
      const path = `/spaces/${space}/content`
      const { tags } = await request<{ tags: { slug: string; label: string }[] }>(admin, 'GET', path)
      expect(tags.map(({ slug, label }) => `${slug}: ${label}`)).toEqual([
        'api: The API',
        'beta: In beta',
        'secret: A secret',
      ])
      const { name } = await aPublishedSite(sites(), {
        title: 'Tagged',
        spaces: [space],
        settings: { visibility: 'public' },
      })
      const at = (path: string) => ask(`${sites().reader}/${name}/${path}`)
      const home = await at('')
      expect(home.text).toContain('<ul class="tags"><li data-color="warning"><bdi>In beta</bdi></li></ul>')
      expect(home.text).toContain('<small class="tag" data-color="warning"><bdi>In beta</bdi></small>')
      const page = await at('log')
      expect(page.text).toMatch(/<li data-update-tag="api"><svg class="icon".*?<\/svg><bdi>The API<\/bdi><\/li>/)
      expect(page.text).toContain('<bdi>other</bdi>')
      expect((await at('log.md')).text).toContain('tags="The API,other"')
      expect((await at('log/rss.xml')).text).toContain('The API')
      expect([home.text, page.text].join('')).not.toMatch(/secret/i)
    } finally {
      await git.stop()
      await repository.remove()
    }
  })
}
