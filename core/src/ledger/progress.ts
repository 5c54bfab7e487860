import type { CallRow } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import type { Progress } from '../call/request.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'
import { findVisibleCall } from './fetch-answer.ts'
import { fenceOf } from './finish-call.ts'

export type StoredProgress = { readonly number: number; readonly progress: Progress }

/**
 * The last reported progress of a call, from whichever node executes it, for a caller who may see
 * its answer.
 */
export async function readProgress(
  caller: Caller,
  callId: string,
  context: LedgerContext,
): Promise<StoredProgress | undefined> {
  const row = await findVisibleCall(caller, callId, context)
  const stored =
    row === undefined ? undefined : await context.stores.runs.progress(caller.tenant, callId)
  return stored === undefined
    ? undefined
    : { number: stored.number, progress: JSON.parse(stored.json) as Progress }
}

const WRITE_EVERY_MS = 200

/**
 * A copy of the call whose progress goes to its caller and into the store, for readers on other
 * nodes. Only the newest progress is written, at most every 200 ms.
 */
export function storeProgress(
  call: Call,
  row: CallRow,
  context: LedgerContext,
): { readonly call: Call; readonly flush: () => Promise<void> } {
  let newest: Progress | undefined
  let cancel: (() => void) | undefined
  let writing: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    const progress = newest
    newest = undefined
    if (progress !== undefined) writing = writing.then(() => write(progress))
    return writing
  }

  // Progress that cannot be written is lost; the next report replaces it anyway.
  async function write(progress: Progress): Promise<void> {
    try {
      await context.stores.runs.setProgress(fenceOf(row), JSON.stringify(progress))
    } catch {
      return
    }
  }

  const onProgress = (progress: Progress): void => {
    call.onProgress?.(progress)
    newest = progress
    cancel ??= context.clock.after(WRITE_EVERY_MS, () => void flush())
  }
  return { call: { ...call, onProgress }, flush }
}
