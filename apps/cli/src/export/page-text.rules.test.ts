import { describe, expect, it } from '@jest/globals'
import { parsePage } from './html-tree.ts'
import { readPageText } from './page-text.rules.ts'

const read = (html: string) => readPageText(parsePage(html))

const textOf = (body: string) =>
  read(`<main><div class="page-body">${body}</div></main>`).sections.map(({ text }) => text)

describe('the text of a page', () => {
  it('is read by headings, without navigation', () =>
    expect(read('<nav>no</nav><main><h1>T</h1><p>One</p><h2 id="s">Two <svg></svg></h2><p>Three</p></main>')).toEqual({
      title: 'T',
      description: '',
      sections: [
        { title: '', text: 'One' },
        { title: 'Two', anchor: 's', text: 'Three' },
      ],
    }))

  it('is that of the article alone', () =>
    expect(
      read(
        `<main><article><header><nav>Above</nav><h1>T</h1><ul class="tags"><li>Beta</li></ul></header>
        <div class="page-body without-anchors"><p>One</p></div>
        <footer><nav>Next</nav><div>Was it helpful?</div><p>Last changed today</p></footer></article>
        <ul><li><a href="a.md">View as Markdown</a></li><li>Connect with MCP</li></ul></main>`,
      ),
    ).toEqual({ title: 'T', description: '', sections: [{ title: '', text: 'One' }] }))

  it.each(['p', 'li', 'div', 'dt', 'dd', 'figcaption', 'summary', 'blockquote', 'pre', 'label', 'h4', 'section'])(
    'of a %s is not part of the words around it',
    name => expect(textOf(`One<${name}>two</${name}>three`)).toEqual(['One two three']),
  )

  it.each([
    ['lines', 'one<br>two<hr>three', 'one two three'],
    ['a list in an item', '<ul><li>One<ol><li>two</li></ol></li></ul>', 'One two'],
    ['cells', '<table><tr><th>A</th><td>B</td></tr><tr><td>C</td></tr></table>', 'A B C'],
    ['parts of a word', 'w<strong>or</strong><code>d</code> <span>a</span><span>b</span>', 'word ab'],
    ['a copy of code', '<button hidden>Copy</button><pre><code>let a</code></pre>', 'let a'],
    ['a formula', '<math><mi>a</mi><annotation>b</annotation></math><span aria-hidden="true">a</span>', 'a'],
    ['a heading of the first level', '<h1 id="x">Big</h1>text', ''],
  ])('of %s', (_title, html, text) => expect(textOf(html)[0]).toBe(text))
})
