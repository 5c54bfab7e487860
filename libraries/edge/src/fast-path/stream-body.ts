import { Buffer } from 'node:buffer'
import type { FastPathResponse, FastPathStream } from './fast-path.ts'

/** What is done with a body that is written little by little. */
export type BodySink = {
  /** The whole response, where its body ended in the turn of the event loop in which it began. */
  readonly sendWhole: (response: FastPathResponse) => void
  /** The head of the response, with what has been written of its body. */
  readonly begin: (text: string) => void
  readonly write: (text: string) => void
  readonly end: () => void
}

/**
 * Sends a body as it is written. What is written in the first turn of the event loop is sent
 * together: most bodies have ended by then, and cost no more than a response of a known length.
 */
export async function streamBody(
  { status, headers, writeBody }: FastPathStream,
  { sendWhole, begin, write, end }: BodySink,
): Promise<void> {
  let collected = ''
  let hasBegun = false
  const beginning = setImmediate(() => {
    hasBegun = true
    begin(collected)
  })
  try {
    await writeBody((text) => {
      if (hasBegun) write(text)
      else collected += text
    })
  } finally {
    clearImmediate(beginning)
  }
  if (hasBegun) {
    end()
    return
  }
  const length = String(Buffer.byteLength(collected))
  sendWhole({ status, headers: { ...headers, 'content-length': length }, text: collected })
}
