/** AI assistants that an address opens with a question, by name; the encoded question is appended. */
const assistants = { ChatGPT: 'https://chatgpt.com/?q=', Claude: 'https://claude.ai/new?q=' }
/** Characters of an encoded question: servers refuse addresses that are much longer. */
const maxLength = 6_000

/** The addresses that open a question in AI assistants, by their names; none for a question that is empty or too long for an address. */
export function assistantLinks(question: string): { name: string; href: string }[] {
  if (question === '' || question.length > maxLength) return []
  // A half of a pair of surrogates has no form in an address.
  const encoded = encodeURIComponent(question.replaceAll(/\p{Cs}/gu, '\ufffd'))
  if (encoded.length > maxLength) return []
  return Object.entries(assistants).map(([name, address]) => ({ name, href: `${address}${encoded}` }))
}
