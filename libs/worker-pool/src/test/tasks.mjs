export const double = ({ number }) => number * 2
export const fail = ({ message }) => {
  throw new TypeError(message)
}
export const spin = () => {
  for (;;);
}
export const fill = () => {
  const filled = []
  for (;;) filled.push({ at: filled.length, text: `text ${filled.length}` })
}
export const nest = ({ depth }) => (depth === 0 ? 0 : 1 + nest({ depth: depth - 1 }))
export const environment = () => Object.keys(process.env)
export const ask = ({ port }) =>
  new Promise(resolve => {
    port.once('message', answer => {
      port.close()
      resolve(answer)
    })
    port.postMessage('what')
  })
