/** Pixels: a diagram that is higher scrolls in its frame. */
const maxHeight = 4_000

/** A message of a frame: that it can draw, that it has drawn or cannot, and how high it is. */
interface FrameMessage {
  ready?: boolean
  drawn?: boolean
  failed?: boolean
  height?: number
}

const frames = new Map<MessageEventSource, HTMLIFrameElement>()

const observer = new IntersectionObserver(
  entries => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) {
        observer.unobserve(target)
        openFrame(target as HTMLElement)
      }
  },
  { rootMargin: '300px' },
)

/** Draws diagrams when they come into view; until then, and where it fails, their source stands there. */
export function mountDiagrams(): void {
  for (const [source, frame] of frames) if (!frame.isConnected) frames.delete(source)
  for (const figure of document.querySelectorAll('figure[data-diagram]:not([data-drawn])')) observer.observe(figure)
}

/** Opens the frame that draws: it has no origin, so what is in it reaches nothing of the page. */
function openFrame(figure: HTMLElement): void {
  if (figure.querySelector('iframe')) return
  const code = figure.querySelector('pre')
  const frame = document.createElement('iframe')
  frame.src = `${document.body.dataset['space'] ?? '/'}~recto/diagram`
  frame.title = figure.dataset['diagram'] ?? ''
  frame.className = 'diagram-frame'
  frame.setAttribute('sandbox', 'allow-scripts')
  code?.before(frame)
  if (frame.contentWindow) frames.set(frame.contentWindow, frame)
}

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  const frame = source === null ? undefined : frames.get(source)
  const figure = frame?.closest<HTMLElement>('figure')
  if (!frame || !figure || typeof data !== 'object' || data === null) return
  const { ready, drawn, failed, height } = data as FrameMessage
  if (ready === true) requestDrawing(frame)
  if (drawn === true) figure.dataset['drawn'] = ''
  if (typeof height === 'number' && height > 0) frame.style.height = `${Math.min(height, maxHeight)}px`
  if (failed === true) {
    delete figure.dataset['drawn']
    frame.remove()
  }
})

function requestDrawing(frame: HTMLIFrameElement): void {
  const source = frame.closest('figure')?.querySelector('pre code')?.textContent ?? ''
  const isDark = document.documentElement.dataset['theme'] === 'dark'
  // A frame without an origin can be named by none. It gets nothing but the text of the page.
  frame.contentWindow?.postMessage({ source, isDark }, '*')
}

new MutationObserver(() => {
  for (const frame of frames.values()) if (frame.isConnected) requestDrawing(frame)
}).observe(document.documentElement, { attributeFilter: ['data-theme'] })
