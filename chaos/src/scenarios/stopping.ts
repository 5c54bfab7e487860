/** Whether somebody has said that it is enough: what was found until then is told. The second time is meant. */
export type Stopping = { readonly isStopped: () => boolean }

export function untilStopped(onStop: () => void = () => undefined): Stopping {
  let isStopped = false
  const stop = (): void => {
    isStopped = true
    onStop()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  return { isStopped: () => isStopped }
}
