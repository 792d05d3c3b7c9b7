import mermaid from 'mermaid'

/** The diagram that the page around this frame wants drawn. */
interface Drawing {
  source: string
  isDark: boolean
}

let count = 0
let queue = Promise.resolve()

/** Draws diagrams in a frame without an origin: whatever a diagram does, it reaches neither the page nor the network. */
addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source !== parent || !isDrawing(data)) return
  queue = queue.then(() => draw(data)).catch(() => tell({ failed: true }))
})
new ResizeObserver(() => tell({ height: heightOfBody() })).observe(document.body)
tell({ ready: true })

async function draw({ source, isDark }: Drawing): Promise<void> {
  count += 1
  // A frame of another colour scheme than its page is opaque.
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    theme: isDark ? 'dark' : 'default',
    // The grey of the theme behind labels of lines leaves too little contrast.
    ...(isDark && { themeVariables: { edgeLabelBackground: '#2b2b2b' } }),
    fontFamily: 'ui-sans-serif, system-ui, sans-serif',
  })
  const { svg } = await mermaid.render(`diagram-${count}`, source)
  document.body.innerHTML = svg
  tell({ drawn: true, height: heightOfBody() })
}

function isDrawing(data: unknown): data is Drawing {
  return typeof data === 'object' && data !== null && 'source' in data && typeof data.source === 'string'
}

function heightOfBody(): number {
  return Math.ceil(document.body.getBoundingClientRect().height)
}

/** Tells the page, whose origin a frame without one does not know. */
function tell(message: object): void {
  parent.postMessage(message, '*')
}
