import { Buffer } from 'node:buffer'
import {
  isJsonContentType,
  LOG_LEVEL_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import type { Maybe } from '@surehand/core/ports'
import type { StraightAnswer, StraightRequest, StraightWay } from '@surehand/edge'
import { answerHot, toRpcError } from './answer-hot.ts'
import { comerOf } from './comer-of.ts'
import { bearerOf, guardRequest } from './guard-request.ts'
import { type HotRequest, headersAgree, readHot } from './hot-request.ts'
import type { Door } from './mcp-handler.ts'
import { paramMismatch } from './param-headers.ts'
import { parseMessage } from './parse-message.ts'

/**
 * Requests of the stateless revision whose answer is one piece of JSON, without Node's server in between.
 * Whatever is refused, or may have to be told in several pieces, is left to that server before anything is done.
 */
export function straightMessages(door: Door): StraightWay {
  const { pathname } = new URL(door.options.resource)
  return {
    takes: ({ path, headers }) => path === pathname && isJsonContentType(headers['content-type']),
    answer(request) {
      const { headers } = request
      if (guardRequest({ headers, rawHeaders: undefined }, door.options) !== undefined)
        return undefined
      const token = bearerOf({ headers })
      if (token === undefined) return undefined
      const caller = lookedUp(token, request, door)
      return caller instanceof Promise
        ? caller.then((found) => answered(request, found, door))
        : answered(request, caller, door)
    },
    // an answer of this door never throws: what breaks inside is told as JSON-RPC has it
    onTrouble: () => undefined,
  }
}

/** Whoever is not known, or can not be looked up, is told so by the one who refuses all. */
function lookedUp(
  token: string,
  { headers, peer }: StraightRequest,
  { authenticate, strangers }: Door,
): Maybe<Caller | undefined> {
  try {
    const caller = strangers.recognize(comerOf(headers, peer), token, authenticate)
    return caller instanceof Promise ? caller.catch(() => undefined) : caller
  } catch {
    return undefined
  }
}

function answered(
  request: StraightRequest,
  caller: Caller | undefined,
  door: Door,
): Maybe<StraightAnswer | undefined> {
  const { headers, body } = request
  const maxBytes = door.maxBodyBytes()
  if (caller === undefined || body.length === 0 || body.length > maxBytes) return undefined
  const parsed = parseMessage(body, maxBytes)
  const hot = 'trouble' in parsed ? undefined : readHot(parsed.value)
  if (
    'trouble' in parsed ||
    hot === undefined ||
    !isToldInOnePiece(hot) ||
    !headersAgree(hot, headers)
  )
    return undefined
  if (paramMismatch(parsed.value, { headers, caller }, door.surface) !== undefined) return undefined
  return answerOf(hot, { request, caller }, door)
}

/** Nothing is told before the result: nobody asked for progress or for lines of a log, and nothing is listened to. */
function isToldInOnePiece({ method, meta }: HotRequest): boolean {
  return (
    method !== 'subscriptions/listen' &&
    meta.progressToken === undefined &&
    meta[LOG_LEVEL_META_KEY] === undefined
  )
}

type Came = { readonly request: StraightRequest; readonly caller: Caller }

async function answerOf(
  hot: HotRequest,
  { request, caller }: Came,
  { surface, closing }: Door,
): Promise<StraightAnswer> {
  const { id } = hot
  try {
    const result = await answerHot(
      hot,
      { caller, signal: request.leaving(), notify: tellNobody, closing },
      surface,
    )
    return json(200, { jsonrpc: '2.0', id, result })
  } catch (thrown) {
    const error = toRpcError(thrown)
    return json(error.code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200, {
      jsonrpc: '2.0',
      id,
      error,
    })
  }
}

function tellNobody(): void {
  // nobody asked
}

function json(status: number, message: object): StraightAnswer {
  const text = JSON.stringify(message)
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
    text,
  }
}
