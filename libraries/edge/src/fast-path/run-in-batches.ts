// The first item of a batch waits until the last one was started, so batches must not grow without
// limit.
const MAX_BATCH = 32

/**
 * Returns a function that queues an item; the items queued in one turn of the event loop are worked
 * on together, after all sockets were read. Handled one by one, each response wakes its client and
 * the kernel evicts the CPU caches before the next request starts: that takes twice the CPU time.
 */
export function runInBatches<T>(work: (item: T) => void): (item: T) => void {
  let current: T[] = []

  function run(batch: readonly T[]): void {
    if (current === batch) current = []
    let started = 0
    try {
      for (const item of batch) {
        started++
        work(item)
      }
    } finally {
      // An item that throws must not stop the rest of its batch.
      if (started < batch.length) setImmediate(run, batch.slice(started))
    }
  }

  return (item) => {
    if (current.length === 0 || current.length === MAX_BATCH) {
      current = []
      setImmediate(run, current)
    }
    current.push(item)
  }
}
