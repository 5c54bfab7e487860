import { Buffer } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import type { Notify } from './request.ts'
import { writeResult } from './write-message.ts'

export type RpcId = string | number | null
export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown }

/**
 * The response to one request: plain JSON, or a stream as soon as a notification precedes the
 * result.
 */
export type AnswerStream = {
  readonly notify: Notify
  readonly result: (result: object) => void
  readonly error: (status: number, error: RpcError) => void
}

const STREAM_TYPE = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

export function openAnswer(response: ServerResponse, id: RpcId): AnswerStream {
  function end(status: number, text: string): void {
    if (response.writableEnded || response.destroyed) return
    if (response.headersSent) response.end(frame(text))
    // Without a content-length the response would be chunked, which costs an extra write.
    else
      response
        .writeHead(status, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        })
        .end(text)
  }

  return {
    notify(method, params) {
      if (response.writableEnded || response.destroyed) return
      if (!response.headersSent) response.writeHead(200, STREAM_TYPE)
      response.write(frame(JSON.stringify({ jsonrpc: '2.0', method, params })))
    },
    result: (result) => end(200, writeResult(id, result)),
    error: (status, error) => end(status, JSON.stringify({ jsonrpc: '2.0', id, error })),
  }
}

function frame(text: string): string {
  return `event: message\ndata: ${text}\n\n`
}
