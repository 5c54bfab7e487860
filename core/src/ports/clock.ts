import { PassingMap } from '../call/passing-map.ts'
import { ToolError } from '../call/tool-error.ts'

/** Time, handed in. `after` is a coarse timer: good for deadlines, not for music. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Monotonic milliseconds with fractions, for durations. A step of the wall clock moves nothing. */
  readonly ticks: () => number
  /**
   * Names the boot of the machine whose monotonic clock `ticks` reads: processes with the same name
   * may compare their ticks. Undefined: the ticks mean nothing to other processes.
   */
  readonly boot?: string | undefined
  /** Runs once after the delay; the answer cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void
}

const SLOT_MS = 8
// the longest delay a timer takes; a longer one would run at once
const LONGEST_MS = 2 ** 31 - 1_000

type Slot = { readonly entries: Entry[]; readonly timer: NodeJS.Timeout }
type Entry = { readonly run: () => void; index: number; isCancelled: boolean }

/**
 * The machine's clock. Timers due in the same 8 ms share one: a deadline a call would otherwise
 * cost a timer a call. A slot without entries lets the process end. `boot` names this boot of the
 * machine, as `readBoot` of @surehand/sql does.
 */
export function systemClock({ boot }: Pick<Clock, 'boot'> = {}): Clock {
  const slots = new PassingMap<Slot>()
  // `performance.now` counts from the start of the process, `hrtime` from the start of the machine.
  const startedTicks = Number(process.hrtime.bigint()) / 1e6 - performance.now()
  const ticks = (): number => startedTicks + performance.now()
  // Calls of one tool that begin within 8 ms have deadlines in the same slot.
  let latestDue = 0
  let latest: Slot | undefined

  function slotAt(due: number, now: number): Slot {
    if (latest !== undefined && latestDue === due) return latest
    latestDue = due
    latest = openSlot(due, now)
    return latest
  }

  function openSlot(due: number, now: number): Slot {
    const key = String(due)
    const known = slots.get(key)
    if (known !== undefined) return known
    const entries: Entry[] = []
    const timer = setTimeout(
      () => {
        slots.delete(key)
        if (latestDue === due) latest = undefined
        for (const entry of entries.splice(0)) if (!entry.isCancelled) entry.run()
      },
      due * SLOT_MS - now,
    )
    const slot = { entries, timer }
    slots.set(key, slot)
    return slot
  }

  function later(delayMs: number, run: () => void): () => void {
    let cancel = clock.after(LONGEST_MS, () => {
      cancel = clock.after(delayMs - LONGEST_MS, run)
    })
    return () => cancel()
  }

  const clock: Clock = {
    now: () => Date.now(),
    ticks,
    boot,
    after(delayMs, run) {
      if (delayMs > LONGEST_MS) return later(delayMs, run)
      // By the monotonic clock: after a step of the wall clock, a new timer would share the slot of
      // one that is due at another time.
      const now = ticks()
      const slot = slotAt(Math.ceil((now + delayMs) / SLOT_MS), now)
      const { entries, timer } = slot
      const entry = { run, index: entries.length, isCancelled: false }
      if (entries.length === 0) timer.ref()
      entries.push(entry)
      return () => {
        entry.isCancelled = true
        remove(entry, entries)
        if (entries.length === 0) timer.unref()
      }
    },
  }
  return clock
}

// The last entry takes its place: a list in which the order means nothing is shortened at once.
function remove(entry: Entry, entries: Entry[]): void {
  if (entries[entry.index] !== entry) return
  const last = entries.pop() as Entry
  if (last === entry) return
  entries[entry.index] = last
  last.index = entry.index
}

/** Waits; ends early, as cancelled, when the signal says so, whatever its reason was. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal))
    const onAbort = () => {
      cancel()
      reject(abortError(signal))
    }
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

function abortError(signal: AbortSignal | undefined): ToolError {
  return new ToolError('TOOL_CANCELLED', 'The caller has left.', { cause: signal?.reason })
}
