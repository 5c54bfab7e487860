import type { Clock } from '@surehand/core/ports'

/**
 * Runs `work` again and again, each time `delayMs` after the last run ended, until the returned
 * function is called.
 */
export function repeatEvery(
  delayMs: number,
  work: () => Promise<void>,
  { clock, onError }: { readonly clock: Clock; readonly onError: (thrown: unknown) => void },
): () => void {
  let isStopped = false
  let cancel = schedule()

  function schedule(): () => void {
    return clock.after(delayMs, () => void run())
  }

  async function run(): Promise<void> {
    await work().catch(onError)
    if (!isStopped) cancel = schedule()
  }

  return () => {
    isStopped = true
    cancel()
  }
}
