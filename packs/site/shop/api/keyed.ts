import { Refusal } from '../refusal.ts'
import { type Answer, answerOnce } from '../store/answer-once.ts'
import { json } from '../web/respond.ts'
import type { Visit } from '../web/route.ts'

const KEY = /^[\x21-\x7e]{8,255}$/

/** Answers a write once for its Idempotency-Key; `body` is what the key belongs to. */
export function answerKeyed(visit: Visit, body: unknown, work: () => Answer): Response {
  const { shop, request, url } = visit
  const key = request.headers.get('idempotency-key') ?? ''
  if (!KEY.test(key))
    throw new Refusal(
      'key_missing',
      'Send an Idempotency-Key of 8 to 255 characters, the same for every repetition.',
    )
  const {
    status,
    body: answer,
    isReplay,
  } = answerOnce(shop, { key: `api_${key}`, request: [request.method, url.pathname, body] }, work)
  return json(answer, status, isReplay ? { 'idempotent-replayed': 'true' } : {})
}
