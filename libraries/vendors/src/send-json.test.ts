import { isToolError, ToolError } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asServiceError, type Fetch, sendJson } from './send-json.ts'

const Answer = z.object({ price: z.number() })
const signal = new AbortController().signal
const request = { vendor: 'Prices', url: 'https://vendor.example/v1/price', signal }
const answering = (body: string, init?: ResponseInit): Fetch => {
  return async () => new Response(body, init)
}
const failing = (thrown: unknown): Fetch => {
  return () => Promise.reject(thrown)
}

test('sends JSON and returns the parsed response', async () => {
  const sent: unknown[] = []
  const fetch: Fetch = async (url, init) => {
    sent.push(url, init?.method, init?.headers, init?.body)
    return Response.json({ price: 12, more: true })
  }
  const body = { sku: 'a' }
  const options = { ...request, method: 'POST', headers: { 'x-key': 'k' }, body } as const
  expect(await sendJson(fetch, options, Answer)).toEqual({ price: 12 })
  expect(sent).toEqual([
    'https://vendor.example/v1/price',
    'POST',
    { accept: 'application/json', 'content-type': 'application/json', 'x-key': 'k' },
    '{"sku":"a"}',
  ])
})

describe('a failure has a code of the error table', () => {
  test.each<[string, Fetch, object]>([
    [
      'a rate limit',
      answering('{"error":{"message":"Slow down."}}', {
        status: 429,
        headers: { 'retry-after': '7' },
      }),
      {
        code: 'TOOL_RATE_LIMIT_EXCEEDED',
        message: 'Prices answered with the status 429: Slow down.',
        details: { retryAfterMs: 7_000 },
      },
    ],
    [
      'a response that is no JSON',
      answering('{"price":'),
      {
        code: 'TOOL_EXTERNAL_SERVICE_ERROR',
        message: 'Prices sent a response that cannot be read.',
      },
    ],
    ['JSON of another shape', answering('{"price":"12"}'), { code: 'TOOL_EXTERNAL_SERVICE_ERROR' }],
  ])('%s', async (_, fetch, error) => {
    await expect(sendJson(fetch, request, Answer)).rejects.toMatchObject(error)
  })

  test('a failed connection', async () => {
    const failed = sendJson(failing(new TypeError('fetch failed')), request, Answer)
    await expect(failed).rejects.toSatisfy(isToolError)
  })
})

test('an abort is rethrown as it is', async () => {
  const abort = new DOMException('The call was cancelled.', 'AbortError')
  await expect(sendJson(failing(abort), request, Answer)).rejects.toBe(abort)
})

test.each([
  ['{"error":{"message":"No."}}'],
  ['{"success":false,"error":"No."}'],
  ['{"errors":[{"message":"No."}],"meta":{}}'],
  ['{"code":"PGRST","message":"No."}'],
  ['No.'],
])('the message of %s is read', async (body) => {
  await expect(sendJson(answering(body, { status: 500 }), request, Answer)).rejects.toMatchObject({
    message: 'Prices answered with the status 500: No.',
  })
})

describe('asServiceError', () => {
  test('turns a refusal by the vendor into a failure of its service', async () => {
    const refused = sendJson(answering('no', { status: 403 }), request, Answer)
    await expect(refused.catch(asServiceError)).rejects.toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      details: { provider_status: 403 },
    })
  })

  test('leaves a refusal by our own egress as it is', async () => {
    const blocked = new ToolError('TOOL_RESOURCE_ACCESS_DENIED', 'A private address.')
    const refused = sendJson(failing(blocked), request, Answer)
    await expect(refused.catch(asServiceError)).rejects.toBe(blocked)
  })
})
