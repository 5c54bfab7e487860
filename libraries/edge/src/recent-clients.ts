/** Who has sent requests lately, and how many. */
export type RecentClients = {
  /** A request of this client is started, and so many of its requests wait behind it. */
  readonly note: (client: string, behind: number) => void
  /** How much this client has asked for lately. */
  readonly weightOf: (client: string) => number
  readonly nextTurn: () => void
  readonly areSeveral: () => boolean
  /** Whether a client is present that asks for one thing at a time, and for little beside another. */
  readonly hasLight: () => boolean
  readonly isLight: (client: string) => boolean
}

// A client that comes once in so many busy turns still has the others started in small batches.
const SHARED_TURNS = 256

// What a client asked for a second ago counts half. So many clients are remembered.
const HALF_LIFE_MS = 1_000
const MAX_CLIENTS = 1_000

// A client is light where it asks for less than this share of what the heaviest one asks for.
const LIGHT_SHARE = 0.5
/** For so long after its request, a light client counts as present. */
export const LIGHT_MS = 200

type Weight = { requests: number; atMs: number }

export function createRecentClients(
  nowMs: () => number,
  onLight: () => void = () => undefined,
): RecentClients {
  const weights = new Map<string, Weight>()
  let heaviest: Weight = { requests: 0, atMs: nowMs() }
  let lightUntilMs = Number.NEGATIVE_INFINITY
  let turn = 0
  let last: string | undefined
  let lastChange = Number.NEGATIVE_INFINITY

  function addRequests(client: string, requests: number, now: number): Weight {
    const known = weights.get(client)
    if (known !== undefined) {
      known.requests = fadeWeight(known, now) + requests
      known.atMs = now
      return known
    }
    if (weights.size >= MAX_CLIENTS) weights.clear()
    const weight = { requests, atMs: now }
    weights.set(client, weight)
    return weight
  }

  function weightOf(client: string): number {
    const weight = weights.get(client)
    return weight === undefined ? 0 : fadeWeight(weight, nowMs())
  }

  return {
    note(client, behind) {
      if (last !== undefined && last !== client) lastChange = turn
      last = client
      const now = nowMs()
      // Those that wait count each time, so that a client which sends many at once is known as heavy
      // before they have been started.
      const { requests } = addRequests(client, 1 + behind, now)
      const most = fadeWeight(heaviest, now)
      if (requests >= most) heaviest = { requests, atMs: now }
      else if (behind === 0 && requests < LIGHT_SHARE * most) {
        lightUntilMs = now + LIGHT_MS
        onLight()
      }
    },
    weightOf,
    nextTurn() {
      turn++
    },
    areSeveral: () => turn - lastChange < SHARED_TURNS,
    hasLight: () => nowMs() < lightUntilMs,
    isLight: (client) => weightOf(client) < LIGHT_SHARE * fadeWeight(heaviest, nowMs()),
  }
}

function fadeWeight({ requests, atMs }: Weight, now: number): number {
  return requests * 2 ** ((atMs - now) / HALF_LIFE_MS)
}
