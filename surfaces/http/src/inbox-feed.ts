import type { Caller, Runtime } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import { repeatEvery } from '@surehand/edge'

/** Tells open streams when what waits for their person has changed. */
export type InboxFeed = {
  /** Calls the listener after each change, until the returned function is called. */
  readonly watch: (viewer: Caller, onChange: () => void) => () => void
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
  const watched = new Map<
    string,
    { readonly listeners: Set<() => void>; readonly stop: () => void }
  >()

  function startLooking(read: () => Promise<string>, listeners: ReadonlySet<() => void>) {
    let last: string | undefined
    const look = async (): Promise<void> => {
      const mark = await read()
      const isNews = last !== undefined && last !== mark
      last = mark
      if (isNews) for (const listener of listeners) listener()
    }
    return repeatEvery(LOOK_EVERY_MS, look, { clock, onError })
  }

  return {
    watch(viewer, onChange) {
      const { scope, read } = runtime.approvals.waitingMark(viewer)
      let group = watched.get(scope)
      if (group === undefined) {
        const listeners = new Set<() => void>()
        group = { listeners, stop: startLooking(read, listeners) }
        watched.set(scope, group)
      }
      const { listeners, stop } = group
      // Wrapped, so that one listener may watch twice.
      const listener = (): void => onChange()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || watched.get(scope)?.listeners !== listeners) return
        watched.delete(scope)
        stop()
      }
    },
  }
}
