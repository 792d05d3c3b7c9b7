import { randomBytes } from 'node:crypto'
import type { SiteFeature } from '../layout/site-request.ts'
import { diagramFramePolicy } from '../responses/security.rules.ts'

/** The page of the frames that draw diagrams: a document without an origin, which loads nothing but its own script. */
export const diagramFrameFeature: SiteFeature = ({ site, method, view }) => {
  if (method !== 'GET' || site.path !== '~recto/diagram') return undefined
  const nonce = randomBytes(16).toString('base64')
  const style = 'body{margin:0;text-align:center}svg{display:block;max-width:100%;margin:auto}'
  const script = `<script type="module" nonce="${nonce}" src="${view.assets.of('diagram.js')}"></script>`
  const head = `<meta charset="utf-8"><title>Diagram</title><style>${style}</style>`
  return Promise.resolve({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': diagramFramePolicy(nonce),
      'x-robots-tag': 'noindex',
    },
    body: `<!doctype html><html lang="en"><head>${head}</head><body>${script}</body></html>`,
  })
}
