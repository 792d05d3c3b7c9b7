import { faultStyle } from '../fault-style.ts'

/** The script of previews: shows the page anew when the folder has changed, and says why where it cannot be read. */
interface PreviewEvent {
  type: 'change' | 'fault'
  message?: string
}

function showFault(message: string): void {
  const box = document.querySelector('[data-recto-fault]') ?? document.createElement('pre')
  box.setAttribute('data-recto-fault', '')
  box.setAttribute('role', 'alert')
  box.setAttribute('style', faultStyle)
  box.textContent = message
  document.body.append(box)
}

const events = new EventSource('/~recto-preview/events')
events.addEventListener('message', ({ data }: MessageEvent<string>) => {
  const event = JSON.parse(data) as PreviewEvent
  if (event.type === 'change') location.reload()
  else showFault(event.message ?? 'The folder cannot be read')
})
