/** A provider whose content can be shown in a frame. */
interface Provider {
  name: string
  hosts: string[]
  /** The URL of the frame, made of parts of the URL that a strict pattern found; undefined when it is no URL of content. */
  frame(url: URL): string | undefined
  height: number
}

/** A frame of a provider. */
export interface EmbedFrame {
  provider: string
  html: string
}

const youtubeId = /^[\w-]{11}$/

const providers: Provider[] = [
  {
    name: 'YouTube',
    hosts: ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'youtu.be'],
    height: 400,
    frame({ host, pathname, searchParams }) {
      const [, idInPath] = /^\/(?:shorts|embed|live)\/([\w-]{11})\/?$/.exec(pathname) ?? []
      const watched = pathname === '/watch' ? searchParams.get('v') : idInPath
      const id = host === 'youtu.be' ? pathname.slice(1) : watched
      return id && youtubeId.test(id) ? `https://www.youtube-nocookie.com/embed/${id}` : undefined
    },
  },
  {
    name: 'Vimeo',
    hosts: ['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'],
    height: 400,
    frame({ pathname }) {
      const [, id, hash] = /^\/(?:video\/)?(\d{1,12})(?:\/([\da-f]{6,20}))?\/?$/.exec(pathname) ?? []
      return id && `https://player.vimeo.com/video/${id}${hash ? `?h=${hash}` : ''}`
    },
  },
  {
    name: 'Loom',
    hosts: ['loom.com', 'www.loom.com'],
    height: 400,
    frame({ pathname }) {
      const [, id] = /^\/(?:share|embed)\/([\da-f]{32})\/?$/.exec(pathname) ?? []
      return id && `https://www.loom.com/embed/${id}`
    },
  },
  {
    name: 'CodePen',
    hosts: ['codepen.io', 'www.codepen.io'],
    height: 400,
    frame({ pathname }) {
      const [, user, id] = /^\/([\w-]{1,64})\/(?:pen|embed|full|details)\/([A-Za-z\d]{5,40})\/?$/.exec(pathname) ?? []
      return user && id && `https://codepen.io/${user}/embed/${id}?default-tab=result`
    },
  },
  {
    name: 'Figma',
    hosts: ['figma.com', 'www.figma.com'],
    height: 450,
    frame({ pathname, searchParams }) {
      const [, kind, key] = /^\/(file|design|proto|board)\/([A-Za-z\d]{10,64})(?:\/[^/]*)?\/?$/.exec(pathname) ?? []
      if (!kind || !key) return undefined
      const [node] = /^\d{1,9}[-:]\d{1,9}$/.exec(searchParams.get('node-id') ?? '') ?? []
      const area = kind === 'file' ? 'design' : kind
      return `https://embed.figma.com/${area}/${key}?embed-host=recto${node ? `&node-id=${node.replace(':', '-')}` : ''}`
    },
  },
  {
    name: 'Spotify',
    hosts: ['open.spotify.com'],
    height: 352,
    frame({ pathname }) {
      const pattern =
        /^\/(?:intl-[a-z]{2,5}\/)?(?:embed\/)?(track|album|playlist|artist|episode|show)\/([A-Za-z\d]{22})\/?$/
      const [, kind, id] = pattern.exec(pathname) ?? []
      return kind && id && `https://open.spotify.com/embed/${kind}/${id}`
    },
  },
]

/** The frame for a URL of a known provider; undefined for every other URL. Nothing of the URL gets into it but what a strict pattern allows. */
export function embedFrame(address: string): EmbedFrame | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return undefined
  // The host includes a port unless it is the usual one of the scheme.
  const provider = providers.find(({ hosts }) => hosts.includes(url.host))
  const source = provider?.frame(url)
  return provider && source ? { provider: provider.name, html: frameHtml(source, provider) } : undefined
}

function frameHtml(source: string, { name, height }: Provider): string {
  const attributes = {
    src: source.replaceAll('&', '&amp;'),
    title: name,
    width: '100%',
    height: String(height),
    style: 'border:0',
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-presentation',
    allow: 'fullscreen; encrypted-media; picture-in-picture',
    referrerpolicy: 'strict-origin-when-cross-origin',
    loading: 'lazy',
  }
  const attributeTexts = Object.entries(attributes).map(([attribute, value]) => `${attribute}="${value}"`)
  return `<iframe ${attributeTexts.join(' ')}></iframe>`
}
