// Tasks of a module that takes a while to load, as large ones do on a busy machine.
await new Promise(resolve => setTimeout(resolve, 1_500))

export const double = ({ number }) => number * 2

export function spin() {
  for (;;);
}
