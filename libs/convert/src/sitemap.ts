import sax from 'sax'

const maxLocations = 50_000

/** The locations in a sitemap, or in an index of sitemaps. Broken XML gives what could be read; entities of its own are not expanded. */
export function readSitemap(xml: string): { pages: string[]; sitemaps: string[] } {
  const locations = { pages: [] as string[], sitemaps: [] as string[] }
  const reader = sax.parser(true, { trim: true })
  const open: string[] = []
  let text = ''
  reader.onopentag = ({ name }) => {
    open.push(name.toLowerCase())
    text = ''
  }
  reader.ontext = piece => void (text += piece)
  reader.onclosetag = name => {
    open.pop()
    if (name.toLowerCase() !== 'loc' || text === '') return
    const into = open.at(-1) === 'sitemap' ? locations.sitemaps : locations.pages
    if (open.at(-1) !== 'image:image' && into.length < maxLocations) into.push(text)
  }
  reader.onerror = () => {
    throw new Error('not well-formed')
  }
  try {
    reader.write(xml).close()
  } catch {
    // The addresses before the fault count.
  }
  return locations
}
