import type { Envelope } from '@surehand/core'
import type { Backend, WaitOptions } from './backend.ts'

// a worker that lives takes it up at once; nobody wants to type another command for that
export const BRIEF_WAIT_MS = 5_000

/** What a call says next, if it comes soon; undefined where whoever decides or answers may not see it. */
export async function awaitBriefly(
  callId: string,
  backend: Backend,
  more: Pick<WaitOptions, 'onProgress'> = {},
): Promise<Envelope | undefined> {
  const { isMissing } = await import('./is-missing.ts')
  try {
    return await backend.answer(callId, {
      waitMs: BRIEF_WAIT_MS,
      until: 'news',
      signal: new AbortController().signal,
      ...more,
    })
  } catch (thrown) {
    if (isMissing(thrown)) return undefined
    throw thrown
  }
}
