/**
 * Seconds for which a browser, and a cache before it, may each keep a file. Nothing of a site outlives its closing by a minute, half of which
 * is for the closing to be known.
 */
const fileAge = 15

/** How pages, Markdown and lists are kept: asked for again whenever they show, by their entity tag. */
export function pageCaching(isForEverybody: boolean): string {
  return isForEverybody ? 'public, max-age=0, must-revalidate' : 'private, no-cache'
}

/** The `Cache-Control` of files: longer than that of pages, which show the same ones again. */
export function fileCacheControl(isForEverybody: boolean): string {
  return `${isForEverybody ? 'public' : 'private'}, max-age=${fileAge}, must-revalidate`
}

/** The `Cache-Control` of an organization's fonts: an address is that of one file for ever, and the file is no content of the site. */
export function fontCacheControl(isForEverybody: boolean): string {
  return `${isForEverybody ? 'public' : 'private'}, max-age=31536000, immutable`
}
