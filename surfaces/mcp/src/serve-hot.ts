import type { ServerResponse } from 'node:http'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import { answerHot, toRpcError } from './answer-hot.ts'
import { openAnswer } from './answer-stream.ts'
import type { HotRequest } from './hot-request.ts'
import type { Surface } from './options.ts'

export type HotDoor = {
  readonly caller: Caller
  readonly surface: Surface
  readonly closing: AbortSignal
}

/** Answers one request of the stateless revision over HTTP; the client closing its connection is its way to cancel. */
export async function serveHot(
  request: HotRequest,
  response: ServerResponse,
  door: HotDoor,
): Promise<void> {
  const { caller, surface, closing } = door
  const stream = openAnswer(response, request.id)
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort()
  })
  try {
    stream.result(
      await answerHot(
        request,
        { caller, signal: left.signal, notify: stream.notify, closing },
        surface,
      ),
    )
  } catch (thrown) {
    const error = toRpcError(thrown)
    stream.error(
      error.code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200,
      error,
    )
  }
}
