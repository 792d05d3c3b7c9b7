/** The targets of the links of a template, by name. */
export type TemplateLinks = Record<string, string>

/** Sets the links `[text](ref:name)` of a template's page; one without a target becomes its text. `used` has the names that the page has. */
export function withLinks(markdown: string, links: TemplateLinks): { text: string; used: Set<string> } {
  const used = new Set<string>()
  const text = markdown.replace(/\[([^\]\n]*)\]\(ref:([\w-]+)\)/g, (_link, label: string, name: string) => {
    if (!Object.hasOwn(links, name)) return label
    used.add(name)
    return `[${label}](<${links[name]?.replace(/[<>]/g, encodeURIComponent)}>)`
  })
  return { text, used }
}
