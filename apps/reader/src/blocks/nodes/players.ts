/** Where a video of another site can be played in a frame. */
export interface Player {
  host: string
  source: string
}

type Find = (url: URL) => string | undefined

/** The frames of hosts by a video's URL; ids hold nothing but letters, digits, `_` and `-`. */
const hosts: Record<string, Find> = {
  'youtube.com': url => youtube(url.searchParams.get('v') ?? part(url, /^\/(?:embed|shorts|live|v)\/([\w-]+)/), url),
  'm.youtube.com': url => youtube(url.searchParams.get('v') ?? undefined, url),
  'youtube-nocookie.com': url => youtube(part(url, /^\/embed\/([\w-]+)/), url),
  'youtu.be': url => youtube(part(url, /^\/([\w-]+)$/), url),
  'vimeo.com': url => framed('https://player.vimeo.com/video/', part(url, /^\/(?:video\/)?(\d+)/), '?dnt=1'),
  'player.vimeo.com': url => framed('https://player.vimeo.com/video/', part(url, /^\/video\/(\d+)/), '?dnt=1'),
  'loom.com': url => framed('https://www.loom.com/embed/', part(url, /^\/(?:share|embed)\/([\w-]+)/)),
  'dailymotion.com': url =>
    framed('https://www.dailymotion.com/embed/video/', part(url, /^\/(?:embed\/)?video\/(\w+)/)),
  'fast.wistia.net': url => framed('https://fast.wistia.net/embed/iframe/', part(url, /^\/embed\/iframe\/(\w+)/)),
}

/** The player of a video; undefined for a URL that is none of a known host. */
export function playerOf(url: string): Player | undefined {
  if (!URL.canParse(url)) return undefined
  const parsed = new URL(url)
  const host = parsed.hostname.replace(/^www\./, '')
  if (!/^https?:$/.test(parsed.protocol) || !Object.hasOwn(hosts, host)) return undefined
  const source = hosts[host]?.(parsed)
  return source === undefined ? undefined : { host, source }
}

function part({ pathname }: URL, pattern: RegExp): string | undefined {
  return pattern.exec(pathname)?.[1]
}

function youtube(id: string | undefined, { searchParams }: URL): string | undefined {
  const start = /^(\d{1,6})s?$/.exec(searchParams.get('t') ?? searchParams.get('start') ?? '')?.[1]
  return framed('https://www.youtube-nocookie.com/embed/', id, start === undefined ? '' : `?start=${start}`)
}

function framed(base: string, id: string | undefined, query = ''): string | undefined {
  return id !== undefined && /^[\w-]{1,64}$/.test(id) ? `${base}${id}${query}` : undefined
}
