import type { Caller, Runtime } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import { repeatEvery } from '@surehand/edge'

/** Tells open streams when what waits for their person has changed. */
export type InboxFeed = {
  /**
   * Calls the listener once, when no later change can be missed, and after each change, until the
   * returned function is called.
   */
  readonly watch: (viewer: Caller, onChange: () => void) => () => void
}

/** Those who see the same requests. */
type Group = {
  readonly listeners: Set<() => void>
  readonly hasLooked: () => boolean
  readonly stop: () => void
}

type FeedOptions = {
  readonly runtime: Pick<Runtime, 'approvals'>
  readonly clock: Clock
  readonly onError: (thrown: unknown) => void
}

// Requests also come from other processes, so the store is asked; one short statement each time.
const LOOK_EVERY_MS = 500

/**
 * One loop for all who see the same requests, however many streams they have open, and none while
 * no stream is open.
 */
export function createInboxFeed({ runtime, clock, onError }: FeedOptions): InboxFeed {
  const watched = new Map<string, Group>()

  function startLooking(read: () => Promise<string>): Group {
    const listeners = new Set<() => void>()
    let last: string | undefined
    const look = async (): Promise<void> => {
      const mark = await read()
      const isNews = last !== mark
      last = mark
      if (isNews) for (const listener of listeners) listener()
    }
    void look().catch(onError)
    const stop = repeatEvery(LOOK_EVERY_MS, look, { clock, onError })
    return { listeners, hasLooked: () => last !== undefined, stop }
  }

  return {
    watch(viewer, onChange) {
      const { scope, read } = runtime.approvals.waitingMark(viewer)
      let group = watched.get(scope)
      if (group === undefined) {
        group = startLooking(read)
        watched.set(scope, group)
      }
      const { listeners, hasLooked, stop } = group
      // Wrapped, so that one listener may watch twice.
      const listener = (): void => onChange()
      listeners.add(listener)
      if (hasLooked()) listener()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || watched.get(scope)?.listeners !== listeners) return
        watched.delete(scope)
        stop()
      }
    },
  }
}
