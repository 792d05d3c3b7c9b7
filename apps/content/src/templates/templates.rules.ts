/** Where the links of a template lead, by name. */
export type TemplateLinks = Record<string, string>

/** Sets the links `[text](ref:name)` of a template's page; one that is not given becomes its text. `used` are the names that were found. */
export function withLinks(markdown: string, links: TemplateLinks): { text: string; used: Set<string> } {
  const used = new Set<string>()
  const text = markdown.replace(/\[([^\]\n]*)\]\(ref:([\w-]+)\)/g, (_link, label: string, name: string) => {
    if (!Object.hasOwn(links, name)) return label
    used.add(name)
    return `[${label}](<${links[name]?.replace(/[<>]/g, encodeURIComponent)}>)`
  })
  return { text, used }
}
