import type { Call } from '../call/call.ts'
import type { Progress } from '../call/request.ts'
import { fenceOf } from '../pipeline/finish-call.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import type { CallRow } from '../ports/calls.ts'

const WRITE_EVERY_MS = 200

/** The call with its progress told to its caller, and written down for whoever looks from elsewhere: the newest word, at most so often. */
export function withProgress(
  call: Call,
  row: CallRow,
  parts: PipelineContext,
): { readonly call: Call; readonly flush: () => Promise<void> } {
  let waiting: Progress | undefined
  let cancel: (() => void) | undefined
  let writing: Promise<void> = Promise.resolve()

  function write(): Promise<void> {
    cancel?.()
    cancel = undefined
    const progress = waiting
    waiting = undefined
    if (progress !== undefined) writing = writing.then(() => keep(progress))
    return writing
  }

  // a word about how far it is that can't be written is lost; the next one comes
  async function keep(progress: Progress): Promise<void> {
    try {
      await parts.stores.runs.setProgress(fenceOf(row), JSON.stringify(progress))
    } catch {
      return
    }
  }

  const onProgress = (progress: Progress): void => {
    call.onProgress?.(progress)
    waiting = progress
    cancel ??= parts.clock.after(WRITE_EVERY_MS, () => void write())
  }
  return { call: { ...call, onProgress }, flush: write }
}
