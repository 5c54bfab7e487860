import type { ServerResponse } from 'node:http'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import { answerStateless, toRpcError } from './answer-stateless.ts'
import { openAnswer } from './answer-stream.ts'
import type { Surface } from './options.ts'
import type { StatelessRequest } from './stateless-request.ts'

export type StatelessContext = {
  readonly caller: Caller
  readonly surface: Surface
  readonly closing: AbortSignal
}

/**
 * Answers one request of the stateless revision over HTTP. A client cancels it by closing the
 * connection.
 */
export async function serveStateless(
  request: StatelessRequest,
  response: ServerResponse,
  context: StatelessContext,
): Promise<void> {
  const { caller, surface, closing } = context
  const stream = openAnswer(response, request.id)
  const disconnected = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort()
  })
  try {
    stream.result(
      await answerStateless(
        request,
        { caller, signal: disconnected.signal, notify: stream.notify, closing },
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
