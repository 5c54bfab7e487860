// the first of a group is answered when the last has been looked at: it must not wait for a thousand others
const MOST_TOGETHER = 32

/**
 * Runs the work of whoever arrives in one turn of the event loop together, once everybody's bytes have been read.
 * One after another, each answer wakes its client and the kernel has the caches before the next begins: that costs twice as much.
 */
export function inGroups<T>(work: (one: T) => void): (one: T) => void {
  let gathering: T[] = []

  function run(group: readonly T[]): void {
    if (gathering === group) gathering = []
    let done = 0
    try {
      for (const one of group) {
        done++
        work(one)
      }
    } finally {
      // one that breaks must not leave the others waiting for ever
      if (done < group.length) setImmediate(run, group.slice(done))
    }
  }

  return (one) => {
    if (gathering.length === 0 || gathering.length === MOST_TOGETHER) {
      gathering = []
      setImmediate(run, gathering)
    }
    gathering.push(one)
  }
}
