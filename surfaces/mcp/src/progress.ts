import type { Progress } from '@surehand/core/host'
import { sleep } from '@surehand/core/ports'
import type { Surface } from './options.ts'
import type { Notify, ToolsCall } from './request.ts'

const TOTAL = 100
const STEP = 0.01
const LOOK_EVERY_MS = 250

/** The number that the first word is above. */
export const NOTHING_REPORTED = -STEP

/** Tells a client that asked for it how far its call is. The numbers rise with every word, also when there is only something to say. */
export type ProgressReporter = {
  readonly report: (progress: Progress) => void
  /** What the store keeps: told unless it is the word that was told last, by this process. */
  readonly reportStored: (progress: Progress) => void
  readonly lastReported: () => number
  /** An earlier round of the same call came so far. */
  readonly resumeFrom: (told: number) => void
}

export function createProgressReporter(
  meta: Readonly<Record<string, unknown>>,
  notify: Notify,
): ProgressReporter | undefined {
  const { progressToken } = meta
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined
  let told = NOTHING_REPORTED
  let last = ''

  function tell(progress: Progress): void {
    const { fraction, message } = progress
    told = Math.max(told + STEP, (fraction ?? 0) * TOTAL)
    last = wordOf(progress)
    notify('notifications/progress', {
      progressToken,
      progress: told,
      total: TOTAL,
      ...(message === undefined ? {} : { message }),
    })
  }

  return {
    report: tell,
    reportStored: (progress) => {
      if (wordOf(progress) !== last) tell(progress)
    },
    lastReported: () => told,
    resumeFrom(earlier) {
      told = Math.max(told, earlier)
    },
  }
}

function wordOf({ fraction, message }: Progress): string {
  return JSON.stringify([fraction, message])
}

export type Followed = {
  readonly callId: string /** `now`: what was said before has been told. */
  readonly since: 'beginning' | 'now'
}

/** Tells how far a call is while it is waited for, from whichever node drives it. */
export async function reportProgressWhile<T>(
  followed: Followed,
  call: ToolsCall,
  surface: Surface,
  wait: () => Promise<T>,
): Promise<T> {
  const { progress } = call
  if (progress === undefined) return wait()
  const before =
    followed.since === 'now' ? ((await newest(followed.callId, call, surface))?.number ?? 0) : 0
  const over = new AbortController()
  const telling = tellUntil(over.signal, before)
  try {
    return await wait()
  } finally {
    over.abort()
    // the last word comes before the answer
    await telling
  }

  async function tellUntil(signal: AbortSignal, already: number): Promise<void> {
    for (let told = already; ; ) {
      const isLastLook = signal.aborted
      const kept = await newest(followed.callId, call, surface)
      if (kept !== undefined && kept.number > told) {
        told = kept.number
        progress?.reportStored(kept.progress)
      }
      if (isLastLook) return
      await sleep(surface.clock, LOOK_EVERY_MS, signal).catch(() => undefined)
    }
  }
}

// a store out of reach for the moment is asked again at the next look; the answer itself does not depend on it
async function newest(
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
