import type { Progress } from '@surehand/core/host'
import { sleep } from '@surehand/core/ports'
import type { Surface } from './options.ts'
import type { Notify, ToolsCall } from './request.ts'

const TOTAL = 100
const STEP = 0.01
const POLL_MS = 250

/** The progress value before the first report. */
export const NOTHING_REPORTED = -STEP

/**
 * Reports progress to a client that asked for it. The value increases with every report, as the
 * protocol demands.
 */
export type ProgressReporter = {
  readonly report: (progress: Progress) => void
  /** Reports stored progress, unless it equals the last report of this process. */
  readonly reportStored: (progress: Progress) => void
  readonly lastReported: () => number
  /** Continues above the value that an earlier round of the same call has reported. */
  readonly resumeFrom: (reported: number) => void
}

export function createProgressReporter(
  meta: Readonly<Record<string, unknown>>,
  notify: Notify,
): ProgressReporter | undefined {
  const { progressToken } = meta
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined
  let value = NOTHING_REPORTED
  let last = ''

  function report(progress: Progress): void {
    const { fraction, message } = progress
    value = Math.max(value + STEP, (fraction ?? 0) * TOTAL)
    last = contentOf(progress)
    notify('notifications/progress', {
      progressToken,
      progress: value,
      total: TOTAL,
      ...(message === undefined ? {} : { message }),
    })
  }

  return {
    report,
    reportStored: (progress) => {
      if (contentOf(progress) !== last) report(progress)
    },
    lastReported: () => value,
    resumeFrom(earlier) {
      value = Math.max(value, earlier)
    },
  }
}

function contentOf({ fraction, message }: Progress): string {
  return JSON.stringify([fraction, message])
}

export type Followed = {
  readonly callId: string
  /** `now`: what was stored before has been reported already. */
  readonly since: 'beginning' | 'now'
}

/** Reports the progress of a call while `wait` runs, whichever node runs the call. */
export async function reportProgressWhile<T>(
  followed: Followed,
  call: ToolsCall,
  surface: Surface,
  wait: () => Promise<T>,
): Promise<T> {
  const { progress } = call
  if (progress === undefined) return wait()
  const before =
    followed.since === 'now'
      ? ((await readProgress(followed.callId, call, surface))?.number ?? 0)
      : 0
  const done = new AbortController()
  const reporting = reportUntil(done.signal, before)
  try {
    return await wait()
  } finally {
    done.abort()
    // The last progress is reported before the result.
    await reporting
  }

  async function reportUntil(signal: AbortSignal, reported: number): Promise<void> {
    for (let number = reported; ; ) {
      const isLast = signal.aborted
      const stored = await readProgress(followed.callId, call, surface)
      if (stored !== undefined && stored.number > number) {
        number = stored.number
        progress?.reportStored(stored.progress)
      }
      if (isLast) return
      await sleep(surface.clock, POLL_MS, signal).catch(() => undefined)
    }
  }
}

// A store that is out of reach for a moment is read again at the next poll; the result does not
// depend on it.
async function readProgress(
  callId: string,
  { caller }: ToolsCall,
  { runtime }: Surface,
): ReturnType<Surface['runtime']['progress']> {
  try {
    return await runtime.progress(caller, callId)
  } catch {
    return undefined
  }
}
