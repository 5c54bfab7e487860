import type { Caller, ToolError } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import { edgeError } from './edge-error.ts'
import { repeatEvery } from './repeat-every.ts'

/** How many streams may be open in this process: of one principal, of one tenant, and of all. */
export type StreamLimits = {
  readonly perPrincipal: number
  readonly perTenant: number
  readonly total: number
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  perPrincipal: 50,
  perTenant: 500,
  total: 2_000,
}

export type Stream = {
  readonly caller: Pick<Caller, 'tenant' | 'principal'>
  /** Names the credential; those of one credential are checked together. */
  readonly credential: string
  /** False when the credential has been revoked or its principal disabled. */
  readonly isStillAuthorized: () => Promise<boolean>
  readonly end: () => void
  /** True where it waits for no call, so nothing is lost when it ends. */
  readonly onlyListens?: boolean
}

export type OpenStreams = {
  /**
   * Counts a stream until the returned function is called. Throws TOOL_RATE_LIMIT_EXCEEDED where too
   * many are open.
   */
  readonly open: (stream: Stream) => () => void
  /** Why no further stream of this caller may be opened now; undefined where one may. */
  readonly findRefusal: (caller: Stream['caller']) => ToolError | undefined
  /**
   * The server stops: ends the streams that only listen, which would stay open until it gives up
   * waiting. One that is opened later ends at once.
   */
  readonly endListening: () => void
}

/** Revocation ends a stream within a second; the directory's cache takes up to half of that. */
const CHECK_MS = 400
const RETRY_AFTER_MS = 5_000

/**
 * The streams that are open in this process, of all surfaces. One loop checks their credentials:
 * each once, however many streams were opened with it.
 */
export function createOpenStreams(limits: StreamLimits, clock: Clock): OpenStreams {
  const byCredential = new Map<string, Set<Stream>>()
  const counts = new Map<string, number>()
  let stopChecking: (() => void) | undefined
  let isStopping = false

  function count(name: string, change: 1 | -1): void {
    const now = (counts.get(name) ?? 0) + change
    if (now === 0) counts.delete(name)
    else counts.set(name, now)
  }

  async function check(): Promise<void> {
    for (const streams of byCredential.values()) {
      const [first] = streams
      // A store that is out of reach for a moment is asked again at the next check.
      const isValid = first === undefined || (await first.isStillAuthorized().catch(() => true))
      if (!isValid) for (const stream of streams) stream.end()
    }
  }

  function refusalOf(counted: readonly Count[]): ToolError | undefined {
    const full = counted.find(({ name, limit }) => (counts.get(name) ?? 0) >= limit)
    return full === undefined ? undefined : tooMany(full)
  }

  return {
    findRefusal: (caller) => refusalOf(countsOf(caller, limits)),
    endListening() {
      isStopping = true
      for (const stream of [...byCredential.values()].flatMap((streams) => [...streams]))
        if (stream.onlyListens) stream.end()
    },
    open(stream) {
      const counted = countsOf(stream.caller, limits)
      const refusal = refusalOf(counted)
      if (refusal !== undefined) throw refusal
      for (const { name } of counted) count(name, 1)
      const streams = byCredential.get(stream.credential) ?? new Set()
      byCredential.set(stream.credential, streams.add(stream))
      stopChecking ??= repeatEvery(CHECK_MS, check, { clock, onError: () => undefined })
      if (isStopping && stream.onlyListens) queueMicrotask(stream.end)
      return () => {
        if (!streams.delete(stream)) return
        if (streams.size === 0) byCredential.delete(stream.credential)
        for (const { name } of counted) count(name, -1)
        if (byCredential.size > 0) return
        stopChecking?.()
        stopChecking = undefined
      }
    },
  }
}

type Count = { readonly name: string; readonly limit: number; readonly whose: string }

/** What a stream counts for: its principal, its tenant, and the process. */
function countsOf(
  { tenant, principal }: Stream['caller'],
  { perPrincipal, perTenant, total }: StreamLimits,
): readonly Count[] {
  return [
    { name: JSON.stringify([tenant, principal]), limit: perPrincipal, whose: 'you have' },
    { name: JSON.stringify([tenant]), limit: perTenant, whose: 'your tenant has' },
    { name: '', limit: total, whose: 'this server has' },
  ]
}

function tooMany({ limit, whose }: Count): ToolError {
  return edgeError(
    'too_many_requests',
    `Too many streams are open: ${whose} ${limit}, which is the limit. Close one, or ask for the answer with single requests.`,
    { limit, retry_after_ms: RETRY_AFTER_MS },
  )
}
