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

type Slot = { readonly entries: Set<Entry>; readonly timer: NodeJS.Timeout }
type Entry = { readonly run: () => void }

/**
 * The machine's clock. Timers due in the same 8 ms share one: a deadline a call would otherwise
 * cost a timer a call. A slot without entries lets the process end. `boot` names this boot of the
 * machine, as `readBoot` of @surehand/sql does.
 */
export function systemClock({ boot }: Pick<Clock, 'boot'> = {}): Clock {
  const slots = new Map<number, Slot>()
  // `performance.now` counts from the start of the process, `hrtime` from the start of the machine.
  const startedTicks = Number(process.hrtime.bigint()) / 1e6 - performance.now()
  const ticks = (): number => startedTicks + performance.now()

  function slotAt(due: number, now: number): Slot {
    const known = slots.get(due)
    if (known !== undefined) return known
    const entries = new Set<Entry>()
    const timer = setTimeout(
      () => {
        slots.delete(due)
        for (const entry of entries) entry.run()
      },
      due * SLOT_MS - now,
    )
    const slot = { entries, timer }
    slots.set(due, slot)
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
      const entry = { run }
      if (slot.entries.size === 0) slot.timer.ref()
      slot.entries.add(entry)
      return () => {
        slot.entries.delete(entry)
        if (slot.entries.size === 0) slot.timer.unref()
      }
    },
  }
  return clock
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
