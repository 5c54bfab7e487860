/**
 * Listens for Ctrl-C: the first one ends the scenario early with a report, the second one ends the
 * process.
 */
export type Interrupt = { readonly isStopped: () => boolean }

export function listenForInterrupt(onStop: () => void = () => undefined): Interrupt {
  let isStopped = false
  const stop = (): void => {
    isStopped = true
    onStop()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  return { isStopped: () => isStopped }
}
