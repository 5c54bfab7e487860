import { type Envelope, isToolError } from '@surehand/core'
import type { Backend, WaitOptions } from './backend.ts'

// A running worker starts a call at once: waiting for it spares the user a second command.
export const BRIEF_WAIT_MS = 5_000

/**
 * The call's next answer, if it comes soon; undefined where the person who decides or answers may
 * not see it.
 */
export async function awaitBriefly(
  callId: string,
  backend: Backend,
  more: Pick<WaitOptions, 'onProgress'> = {},
): Promise<Envelope | undefined> {
  try {
    return await backend.answer(callId, {
      waitMs: BRIEF_WAIT_MS,
      until: 'news',
      signal: new AbortController().signal,
      ...more,
    })
  } catch (thrown) {
    if (isToolError(thrown) && thrown.code === 'TOOL_RESOURCE_NOT_FOUND') return undefined
    throw thrown
  }
}
