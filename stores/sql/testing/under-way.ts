import { setTimeout as wait } from 'node:timers/promises'
import { settle } from '@surehand/conformance'

/** The operations of the stores that have not returned yet. */
export type UnderWay = {
  readonly track: <T>(method: string, work: Promise<T>) => Promise<T>
  /** Waits until every operation has returned, including those that follow from them. */
  readonly rest: () => Promise<void>
  /** Whether no operation is under way but those that `rest` does not wait for. */
  readonly isAtRest: () => Promise<boolean>
}

type Asked = { readonly method: string; isSeen: boolean }

// A local effect that takes longer counts as stuck.
const STUCK_MS = 250
const PATIENCE_MS = 30_000

/**
 * A local effect's timeout is real: a stuck one returns after its second, and the world's clock
 * must stand still until then. But a test that starts one must be able to see it running: the first
 * wait that finds it does not wait for its end.
 */
export function underWay(): UnderWay {
  const asked = new Set<Asked>()
  let move = Promise.withResolvers<'moved'>()

  function advanceClock(): void {
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
      advanceClock()
      try {
        return await work
      } finally {
        asked.delete(one)
        advanceClock()
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
    async isAtRest() {
      await settle()
      return asked.size === effects().filter(({ isSeen }) => isSeen).length
    },
  }
}
