import { afterMicrotasks, doInTurn, letLightPass } from '@surehand/core/ports'
import { type Answering, LET_PASS_MS } from './answering.ts'
import { createRecentClients, type RecentClients } from './recent-clients.ts'

/** A request that has arrived. */
export type WaitingRequest = { readonly start: () => void }

/** Starts a request of a client, in this turn of the event loop or in one of the next. */
export type StartRequest = (request: WaitingRequest, client: string) => void

/** The order in which the requests of a server are started, whichever way they are answered. */
export type RequestTurns = {
  /**
   * A request of the fast path. Those that arrive in one turn are started together, after all
   * sockets were read: handled one by one, each response wakes its client and the kernel evicts the
   * CPU caches before the next request starts, which takes twice the CPU time.
   */
  readonly startFast: StartRequest
  /**
   * A request of Node's server: it is started at once while few have arrived in this turn. The next
   * ones of its connection are, too, because what follows them may be malformed and end the
   * connection.
   */
  readonly startOnNode: (
    request: WaitingRequest & { readonly connection: unknown },
    client: string,
  ) => void
}

// How many are started in one turn while there is only one client. Larger batches save CPU time.
const MOST_FAST = 32
const MOST_ON_NODE = 8
// While there are several clients, each has at most 4 started in a turn on the fast path, and fewer
// where these take longer than this together, or one while a light client is present. On Node's
// server, where one takes up to a millisecond, it has one. Another client waits that long.
const MOST_OF_CLIENT = 4
const SHARE_MS = 0.5

export type RequestTurnsOptions = {
  readonly nowMs?: () => number
  /** Where several clients call, those of Node's server are started when these calls have passed. */
  readonly answering?: Answering | undefined
  /** Called when a request of a client starts that asks for little while others ask for much. */
  readonly onLight?: () => void
}

/**
 * Starts a few requests in one turn of the event loop, the clients one after the other.
 * Between two turns all sockets are read, so a request of another client waits for one batch and
 * not for the hundreds that a busy one has sent before. Requests of the fast path come first in a
 * turn, because they are the short ones.
 */
export function createRequestTurns({
  nowMs = () => performance.now(),
  answering,
  onLight,
}: RequestTurnsOptions = {}): RequestTurns {
  const clients = createRecentClients(nowMs, onLight)
  const fast = createWaitingRequests(clients)
  const onNode = createWaitingRequests(clients)
  let isScheduled = false
  /** How many of Node's server were started in this turn when they arrived, and the last one's connection. */
  let startedNow = 0
  let lastConnection: unknown
  const startShares = createShares(fast, nowMs)
  const hold = createHold(answering, nowMs, schedule)
  const heavy = createHeavyTurns(() => {
    schedule()
    if (fast.clients() > 0) fast.startNext()
    else if (onNode.clients() > 0 && !hold.mustWait()) onNode.startNext()
  })

  function schedule(): void {
    const waiting = fast.clients() + (hold.isOn() ? 0 : onNode.clients())
    if (isScheduled || (waiting === 0 && startedNow === 0)) return
    isScheduled = true
    setImmediate(run)
  }

  /** Whether requests of different clients wait, or were started lately. */
  function isShared(): boolean {
    return clients.areSeveral() || fast.clients() > 1 || onNode.clients() > 1
  }

  function run(): void {
    const startedBefore = startedNow
    isScheduled = false
    startedNow = 0
    lastConnection = undefined
    clients.nextTurn()
    fast.nextTurn()
    onNode.nextTurn()
    try {
      if (clients.hasLight()) {
        fast.startLight()
        heavy.startSoon()
      } else if (isShared()) {
        const most = Math.min(onNode.clients(), MOST_ON_NODE) - startedBefore
        startShares(() => {
          if (onNode.clients() > 0 && !hold.mustWait()) startSome(onNode, most)
        })
      } else {
        startSome(fast, MOST_FAST)
        startSome(onNode, MOST_ON_NODE)
      }
    } finally {
      // A request that throws must not stop those behind it.
      if (!heavy.isAwaited()) schedule()
    }
  }

  return {
    startFast(request, client) {
      if (clients.hasLight() && clients.isLight(client)) letLightPass()
      fast.add(
        isShared() && answering !== undefined ? letPass(request, answering) : request,
        client,
      )
      schedule()
    },
    startOnNode(request, client) {
      clients.note(client, 0)
      if (!canStartNow(request.connection)) {
        onNode.add(request, client)
        schedule()
        return
      }
      startedNow++
      lastConnection = request.connection
      schedule()
      request.start()
    },
  }

  function canStartNow(connection: unknown): boolean {
    if (connection === lastConnection) return startedNow < MOST_ON_NODE
    if (onNode.clients() > 0) return false
    return isShared() ? startedNow < 1 && !answering?.isBusy() : startedNow < MOST_ON_NODE
  }
}

/** It is let pass from its arrival on; when it has started, as long as it says so itself. */
function letPass(request: WaitingRequest, answering: Answering): WaitingRequest {
  const sinceMs = answering.begin()
  return {
    start() {
      answering.end(sinceMs)
      request.start()
    },
  }
}

/** Starts a share of each client on the fast path; when these have ended or wait, the others. */
function createShares(
  fast: WaitingRequests,
  nowMs: () => number,
): (startOthers: () => void) => void {
  /** What a request took lately until it had ended or waited. */
  let averageMs = 0
  return (startOthers) => {
    if (fast.clients() === 0) {
      startOthers()
      return
    }
    const ofClient = Math.max(1, Math.min(MOST_OF_CLIENT, Math.floor(SHARE_MS / averageMs)))
    const startedAt = nowMs()
    const most = Math.min(MOST_FAST, ofClient * fast.clients())
    let started = 0
    const startRest = (): void => {
      afterMicrotasks(() => {
        // None, where the first one threw.
        averageMs += ((nowMs() - startedAt) / Math.max(1, started) - averageMs) / 8
        startOthers()
      })
      started += startSome(fast, most - started)
    }
    if (fast.clients() === 1) startRest()
    else {
      // What is started together ends together, so the client that asks least is answered before
      // the others are started.
      afterMicrotasks(startRest)
      fast.startOfLightest()
      started = 1
    }
  }
}

/** Beside a light client, each request of the others has its turn among all other work. */
function createHeavyTurns(start: () => void): {
  readonly startSoon: () => void
  readonly isAwaited: () => boolean
} {
  let isAwaited = false
  return {
    startSoon() {
      if (isAwaited) return
      isAwaited = true
      doInTurn(() => {
        isAwaited = false
        start()
      })
    },
    isAwaited: () => isAwaited,
  }
}

/** Whether requests of Node's server wait until calls have passed. */
type Hold = {
  readonly isOn: () => boolean
  /** Whether they have to wait now; if they do, `resume` is called when to ask again. */
  readonly mustWait: () => boolean
}

function createHold(
  answering: Answering | undefined,
  nowMs: () => number,
  resume: () => void,
): Hold {
  let isOn = false
  let sinceMs: number | undefined
  return {
    isOn: () => isOn,
    mustWait() {
      if (isOn) return true
      if (answering?.isBusy()) {
        sinceMs ??= nowMs()
        isOn = nowMs() - sinceMs < LET_PASS_MS
      }
      if (!isOn) sinceMs = undefined
      else
        answering?.onNext(() => {
          isOn = false
          resume()
        })
      return isOn
    },
  }
}

/** Returns how many were started. */
function startSome(waiting: WaitingRequests, most: number): number {
  let started = 0
  for (; started < most && waiting.clients() > 0; started++) waiting.startNext()
  return started
}

type ClientQueue = { readonly client: string; readonly requests: WaitingRequest[]; next: number }

type WaitingRequests = {
  readonly add: (request: WaitingRequest, client: string) => void
  /** How many clients have requests that wait. */
  readonly clients: () => number
  /** Starts the first request of the client whose turn it is. */
  readonly startNext: () => void
  /** Starts that of the client that has asked least lately, among the next few. */
  readonly startOfLightest: () => void
  /** The same, unless all of these have asked for much. */
  readonly startLight: () => void
  /** Clients that were served in the last turn come behind those that have arrived since. */
  readonly nextTurn: () => void
}

// Among so many clients the lightest is looked for.
const LOOKED_AT = 8

function createWaitingRequests({ note, weightOf, isLight }: RecentClients): WaitingRequests {
  // Both in the order of their last turn: the first client is the one that waits longest for its
  // next. `served` are those that had one in this turn.
  let waiting = new Map<string, ClientQueue>()
  let served = new Map<string, ClientQueue>()

  function findFirst(): ClientQueue | undefined {
    if (waiting.size === 0) [waiting, served] = [served, waiting]
    const [queue] = waiting.values()
    return queue
  }

  function findLightest(): ClientQueue | undefined {
    let lightest: ClientQueue | undefined
    let least = Number.POSITIVE_INFINITY
    let looked = 0
    for (const queue of waiting.values()) {
      if (looked++ === LOOKED_AT) break
      const weight = weightOf(queue.client)
      if (weight >= least) continue
      lightest = queue
      least = weight
    }
    return lightest
  }

  function start(queue: ClientQueue | undefined): void {
    const request = queue?.requests[queue.next++]
    if (queue === undefined || request === undefined) return
    waiting.delete(queue.client)
    if (queue.next < queue.requests.length) served.set(queue.client, queue)
    note(queue.client, queue.requests.length - queue.next)
    request.start()
  }

  return {
    add(request, client) {
      const queue = waiting.get(client) ?? served.get(client)
      if (queue === undefined) waiting.set(client, { client, requests: [request], next: 0 })
      else queue.requests.push(request)
    },
    clients: () => waiting.size + served.size,
    startNext: () => start(findFirst()),
    startOfLightest: () => start(findLightest() ?? findFirst()),
    startLight() {
      const lightest = findLightest()
      if (lightest !== undefined && isLight(lightest.client)) start(lightest)
    },
    nextTurn() {
      for (const [client, queue] of served) waiting.set(client, queue)
      served.clear()
    },
  }
}
