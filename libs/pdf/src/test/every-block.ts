/** A page with every block of the dialect, and text of many scripts in each. */
export const everyBlock = `
## Überschrift Ελληνικά Русский 中文标题 日本語 한국어

A paragraph with **bold**, *italic*, ***both***, ~~struck~~, \`code\`, <kbd>Ctrl</kbd>, H<sub>2</sub>O, x<sup>2</sup>, a
[link](https://example.com/link), an emoji :smile: 🚀 👍🏽, <mark style="color:red;">red</mark> and $$E=mc^2$$ inline.
A note[^1], an <i class="fa-github">:github:</i> icon, <code class="expression">space.vars.name</code> and a
<a href="https://example.com/button" class="button primary">Press here</a>.

[^1]: The footnote says *this*.

Ελληνικά: Η γρήγορη καφέ αλεπού. Русский: Съешь же ещё этих мягких французских булок. Tiếng Việt: Quốc ngữ.

中文：渲染大型文档时，请注意内存使用情况。日本語：これはテストです。한국어: 빠른 갈색 여우.

مرحبا بالعالم هذا نص عربي مع English words و 12345 أرقام

עברית: שלום עולם, זה טקסט בעברית.

ไทย: ภาษาไทยเป็นภาษาที่ไม่มีการเว้นวรรค. हिन्दी: यह एक परीक्षण है। → ★ ∑ ≤ ☑

### Heading of level three

1. First item
2. Second item
   * Nested item

* [ ] Open task
* [x] Done task

> A quote.

{% hint style="info" %}
An info hint.
{% endhint %}

{% hint style="warning" %}
A warning hint.
{% endhint %}

{% hint style="danger" %}
A danger hint.
{% endhint %}

{% hint style="success" %}
A success hint.
{% endhint %}

{% tabs %}
{% tab title="Tab of Linux" %}
In the first tab.
{% endtab %}

{% tab title="Tab of Windows" %}
In the second tab.
{% endtab %}
{% endtabs %}

{% code title="index.ts" lineNumbers="true" expandable="true" collapsedlinecount="1" %}
\`\`\`typescript
export const hello = (name: string) => \`Hello \${name}\` // 注释 комментарий

const last = 'line of code'
\`\`\`
{% endcode %}

| Option | Default |
| ------ | ------: |
| \`port\` | 3000 |

<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>Card one</strong></td><td>Text of the card</td><td><a href="https://example.com/card">https://example.com/card</a></td></tr><tr><td><strong>Card two</strong></td><td>Other text</td><td></td></tr></tbody></table>

<table><thead><tr><th>Name</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="5">Stars</th></tr></thead><tbody><tr><td>A row</td><td>true</td><td>3</td></tr></tbody></table>

<details>

<summary>Expandable title</summary>

Expandable body.

</details>

{% stepper %}
{% step %}
### First step

Do this.
{% endstep %}

{% step %}
### Second step

Do that.
{% endstep %}
{% endstepper %}

{% prompt description="What the prompt is for" defaultExpanded="hidden" %}
\`\`\`markdown
Text of the prompt.
\`\`\`
{% endprompt %}

{% updates format="full" %}
{% update date="2026-04-22" tags="api,beta" %}
The newest entry.
{% endupdate %}

{% update date="2026-03-10" %}
The oldest entry.
{% endupdate %}
{% endupdates %}

{% columns %}
{% column width="60%" %}
Left column.
{% endcolumn %}

{% column %}
Right column.
{% endcolumn %}
{% endcolumns %}

$$
\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}
$$

{% embed url="https://www.youtube.com/watch?v=abc" %}
Caption of the embed
{% endembed %}

{% file src="report.zip" %}
Caption of the file
{% endfile %}

{% content-ref url="other" %}
[other](other)
{% endcontent-ref %}

{% openapi-operation spec="petstore" path="/pets/{id}" method="get" %}
[OpenAPI petstore](https://example.com/petstore)
{% endopenapi-operation %}

{% if visitor.claims.beta %}
Only for beta.
{% endif %}

***

<figure><img src="dot.png" alt="A dot"><figcaption><p>Caption of the picture</p></figcaption></figure>

![Remote picture](https://example.com/remote.png)

{% include "shared.md" %}
`
