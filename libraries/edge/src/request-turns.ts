/** Starts a request of a client, in this turn of the event loop or in one of the next. */
export type RequestTurns<T> = (item: T, client: string) => void

export type TurnOptions = {
  /** How many are started in one turn. */
  readonly perTurn: number
  /** How many of one client are started in one turn while there are other clients. */
  readonly perClient: number
  /**
   * `now`: at once while few have arrived in this turn. `together`: those that arrive in one turn
   * after all sockets were read. Handled one by one, each response wakes its client and the kernel
   * evicts the CPU caches before the next request starts, which takes twice the CPU time.
   */
  readonly start: 'now' | 'together'
}

// A client that comes once in so many busy turns still has the others started in small batches.
const SHARED_TURNS = 256

type Queue<T> = { readonly client: string; readonly items: T[]; next: number }

/**
 * Starts at most so many requests in one turn of the event loop, the clients one after the other.
 * Between two turns all sockets are read, so a request of another client waits for one batch and
 * not for the hundreds that a busy one has sent before.
 */
export function startInTurns<T>(
  work: (item: T) => void,
  { perTurn, perClient, start }: TurnOptions,
): RequestTurns<T> {
  // In the order of their last turn: the first client is the one that waits longest for its next.
  const queues = new Map<string, Queue<T>>()
  let isScheduled = false
  let startedNow = 0
  let turn = 0
  let lastClient: string | undefined
  let lastChange = Number.NEGATIVE_INFINITY

  /** Whether requests of different clients wait, or were started lately. */
  function isShared(): boolean {
    return queues.size > 1 || turn - lastChange < SHARED_TURNS
  }

  function note(client: string): void {
    if (lastClient !== undefined && lastClient !== client) lastChange = turn
    lastClient = client
  }

  function takeNext(): T | undefined {
    const [queue] = queues.values()
    if (queue === undefined) return undefined
    queues.delete(queue.client)
    note(queue.client)
    const item = queue.items[queue.next++]
    // Added again at the end, behind all other clients.
    if (queue.next < queue.items.length) queues.set(queue.client, queue)
    return item
  }

  function schedule(): void {
    if (isScheduled || (queues.size === 0 && startedNow === 0)) return
    isScheduled = true
    setImmediate(run)
  }

  function run(): void {
    isScheduled = false
    startedNow = 0
    turn++
    const most = isShared() ? Math.min(perTurn, perClient * queues.size) : perTurn
    try {
      for (let started = 0; started < most && queues.size > 0; started++) {
        const item = takeNext()
        if (item !== undefined) work(item)
      }
    } finally {
      // An item that throws must not stop those behind it.
      schedule()
    }
  }

  return (item, client) => {
    const mostNow = isShared() ? perClient : perTurn
    if (start === 'now' && queues.size === 0 && startedNow < mostNow) {
      startedNow++
      note(client)
      schedule()
      work(item)
      return
    }
    const queue = queues.get(client)
    if (queue === undefined) queues.set(client, { client, items: [item], next: 0 })
    else queue.items.push(item)
    schedule()
  }
}
