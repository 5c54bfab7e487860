import { failStrayCall } from '@surehand/core/host'
import type { Log } from './log/log.ts'

/** The exit code after an exception that no call's code threw: the process has to be restarted. */
export const EXIT_UNCAUGHT = 70

export type StrayError = {
  readonly kind: 'rejection' | 'exception'
  /** The call whose code left it behind; undefined: none is known. */
  readonly callId: string | undefined
}

type StrayOptions = {
  readonly log: Log
  readonly count?: (stray: StrayError) => void
  /** An exception that belongs to no call may have left anything half done. */
  readonly onFatal: () => void
}

/**
 * Handles the rejections and exceptions that nothing caught: they fail the call whose code left
 * them behind, and the process goes on. Only programs install this, never a library. The returned
 * function removes it.
 */
export function handleStrayErrors({ log, count, onFatal }: StrayOptions): () => void {
  function note(thrown: unknown, kind: StrayError['kind']): string | undefined {
    const callId = failStrayCall(thrown)
    count?.({ kind, callId })
    if (callId !== undefined)
      log.error({ err: thrown, callId }, `a tool left an unhandled ${kind} behind; its call fails`)
    return callId
  }

  const onRejection = (thrown: unknown): void => {
    if (note(thrown, 'rejection') === undefined)
      log.error({ err: thrown }, 'an unhandled rejection belongs to no call')
  }
  const onException = (thrown: unknown): void => {
    if (note(thrown, 'exception') !== undefined) return
    log.error({ err: thrown }, 'an uncaught exception belongs to no call: stopping for a restart')
    onFatal()
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}
