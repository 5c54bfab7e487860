import { setTimeout as wait } from 'node:timers/promises'
import { settle } from '@surehand/conformance'

/** What has been asked of the stores and is not answered. */
export type UnderWay = {
  readonly track: <T>(method: string, work: Promise<T>) => Promise<T>
  /** Lets everything be answered, and what the answers lead to. */
  readonly rest: () => Promise<void>
}

type Asked = { readonly method: string; isSeen: boolean }

// a local effect that takes longer is taken for one that is stuck
const STUCK_MS = 250
const PATIENCE_MS = 30_000

/**
 * A local effect's time is real: one that is stuck is answered when its second is over, and the world's clock must stand till then.
 * But whoever begins one and looks sees it at work: the first rest that finds it does not wait for its end.
 */
export function underWay(): UnderWay {
  const asked = new Set<Asked>()
  let move = Promise.withResolvers<'moved'>()

  function moved(): void {
    move.resolve('moved')
    move = Promise.withResolvers()
  }

  function effects(): readonly Asked[] {
    return [...asked].filter(({ method }) => method === 'calls.transact')
  }

  return {
    async track(method, work) {
      const one = { method, isSeen: false }
      asked.add(one)
      moved()
      try {
        return await work
      } finally {
        asked.delete(one)
        moved()
      }
    },
    async rest() {
      const startedAt = performance.now()
      for (await settle(); asked.size > 0; await settle()) {
        if ((await Promise.race([move.promise, wait(STUCK_MS, 'still' as const)])) === 'moved')
          continue
        if (effects().some(({ isSeen }) => !isSeen)) break
        if (performance.now() - startedAt > PATIENCE_MS)
          throw new Error(`No answer: ${[...asked].map(({ method }) => method).join(', ')}.`)
      }
      for (const effect of effects()) effect.isSeen = true
    },
  }
}
