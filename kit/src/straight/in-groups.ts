// the first of a group is answered when the last has been looked at: it must not wait for a thousand others
const MOST_TOGETHER = 64

/**
 * Runs the work of whoever arrives in one turn of the event loop together, once everybody's bytes have been read.
 * One after another, each answer wakes its client and the kernel has the caches before the next begins: it costs twice as much.
 */
export function inGroups<T>(work: (one: T) => void): (one: T) => void {
  let gathering: T[] = []
  return (one) => {
    if (gathering.length === 0 || gathering.length === MOST_TOGETHER) {
      const group: T[] = []
      gathering = group
      setImmediate(() => {
        if (gathering === group) gathering = []
        for (const each of group) work(each)
      })
    }
    gathering.push(one)
  }
}
