/** A frame that shows content of another site in a page. */
export interface EmbedFrame {
  /** The name of the site. */
  provider: string
  isVideo: boolean
  /** The URL of the frame. */
  source: string
  /** Pixels. */
  height: number
}

interface Provider {
  name: string
  isVideo: boolean
  /** Hosts of the URLs that people paste, with and without `www.`. */
  hosts: string[]
  height: number
  /** The URL of the frame, made of parts of the URL that a strict pattern found; undefined when it is no URL of content. */
  sourceOf(url: URL): string | undefined
}

const withWww = (...hosts: string[]) => hosts.flatMap(host => [host, `www.${host}`])

const providers: Provider[] = [
  {
    name: 'YouTube',
    isVideo: true,
    hosts: [...withWww('youtube.com', 'youtube-nocookie.com'), 'm.youtube.com', 'youtu.be'],
    height: 400,
    sourceOf({ host, pathname, searchParams }) {
      const [, idInPath] = /^\/(?:shorts|embed|live|v)\/([\w-]+)\/?$/.exec(pathname) ?? []
      const watchedId = pathname === '/watch' ? searchParams.get('v') : idInPath
      const id = host === 'youtu.be' ? pathname.slice(1) : watchedId
      if (!id || !/^[\w-]{11}$/.test(id)) return undefined
      const [, start] = /^(\d{1,6})s?$/.exec(searchParams.get('t') ?? searchParams.get('start') ?? '') ?? []
      return `https://www.youtube-nocookie.com/embed/${id}${start ? `?start=${start}` : ''}`
    },
  },
  {
    name: 'Vimeo',
    isVideo: true,
    hosts: [...withWww('vimeo.com'), 'player.vimeo.com'],
    height: 400,
    sourceOf({ pathname, searchParams }) {
      const [, id, hashInPath] = /^\/(?:video\/)?(\d{1,12})(?:\/([\da-f]{6,20}))?\/?$/.exec(pathname) ?? []
      const [hash = hashInPath] = /^[\da-f]{6,20}$/.exec(searchParams.get('h') ?? '') ?? []
      return id && `https://player.vimeo.com/video/${id}?dnt=1${hash ? `&h=${hash}` : ''}`
    },
  },
  {
    name: 'Loom',
    isVideo: true,
    hosts: withWww('loom.com'),
    height: 400,
    sourceOf({ pathname }) {
      const [, id] = /^\/(?:share|embed)\/([\da-f]{32})\/?$/.exec(pathname) ?? []
      return id && `https://www.loom.com/embed/${id}`
    },
  },
  {
    name: 'Dailymotion',
    isVideo: true,
    hosts: withWww('dailymotion.com'),
    height: 400,
    sourceOf({ pathname }) {
      const [, id] = /^\/(?:embed\/)?video\/(\w{1,32})\/?$/.exec(pathname) ?? []
      return id && `https://www.dailymotion.com/embed/video/${id}`
    },
  },
  {
    name: 'Wistia',
    isVideo: true,
    hosts: ['fast.wistia.net'],
    height: 400,
    sourceOf({ pathname }) {
      const [, id] = /^\/embed\/iframe\/(\w{1,32})\/?$/.exec(pathname) ?? []
      return id && `https://fast.wistia.net/embed/iframe/${id}`
    },
  },
  {
    name: 'CodePen',
    isVideo: false,
    hosts: withWww('codepen.io'),
    height: 400,
    sourceOf({ pathname }) {
      const [, user, id] = /^\/([\w-]{1,64})\/(?:pen|embed|full|details)\/([A-Za-z\d]{5,40})\/?$/.exec(pathname) ?? []
      return user && id && `https://codepen.io/${user}/embed/${id}?default-tab=result`
    },
  },
  {
    name: 'Figma',
    isVideo: false,
    hosts: withWww('figma.com'),
    height: 450,
    sourceOf({ pathname, searchParams }) {
      const [, kind, key] = /^\/(file|design|proto|board)\/([A-Za-z\d]{10,64})(?:\/[^/]*)?\/?$/.exec(pathname) ?? []
      if (!kind || !key) return undefined
      const [node] = /^\d{1,9}[-:]\d{1,9}$/.exec(searchParams.get('node-id') ?? '') ?? []
      const area = kind === 'file' ? 'design' : kind
      return `https://embed.figma.com/${area}/${key}?embed-host=recto${node ? `&node-id=${node.replace(':', '-')}` : ''}`
    },
  },
  {
    name: 'Spotify',
    isVideo: false,
    hosts: ['open.spotify.com'],
    height: 352,
    sourceOf({ pathname }) {
      const pattern =
        /^\/(?:intl-[a-z]{2,5}\/)?(?:embed\/)?(track|album|playlist|artist|episode|show)\/([A-Za-z\d]{22})\/?$/
      const [, kind, id] = pattern.exec(pathname) ?? []
      return kind && id && `https://open.spotify.com/embed/${kind}/${id}`
    },
  },
]

/**
 * The frame for a URL of content at a provider; undefined for every other URL. Nothing of the URL gets into the frame but what a strict
 * pattern allows.
 */
export function embedFrameOf(address: string): EmbedFrame | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  // The host includes a port unless it is the usual one of the scheme.
  const provider = providers.find(({ hosts }) => hosts.includes(url.host))
  const source = provider?.sourceOf(url)
  if (!provider || !source) return undefined
  const { name, isVideo, height } = provider
  return { provider: name, isVideo, source, height }
}
