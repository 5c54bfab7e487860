import { describe, expect, test } from 'vitest'
import type { Operation } from '../operation/operation.ts'
import { readOpenApi } from '../read-open-api.ts'
import { keepWhole, readAnswer } from './read-answer.ts'

const query = (name: string, type: string) => ({ name, in: 'query', schema: { type } })
const { operations } = readOpenApi(
  {
    openapi: '3.0.0',
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          responses: {},
          parameters: [
            query('page', 'integer'),
            query('cursor', 'string'),
            query('starting_after', 'string'),
          ],
        },
      },
    },
  },
  { name: 'a' },
)
const [operation] = operations as readonly [Operation]
const answer = (
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  status = 200,
  isCut = false,
) => ({ status, headers, body: Buffer.from(body), isCut })
const read = (given: ReturnType<typeof answer>, settings = {}) =>
  readAnswer(operation, given, settings)

describe('an answer', () => {
  test('of JSON is data, of text is text, of nothing is its status', () => {
    expect(read(answer('{"a":1}'))).toEqual({ status: 200, data: { a: 1 } })
    expect(
      read(answer('[1]', { 'content-type': 'application/vnd.x+json; charset=utf-8' })),
    ).toEqual({ status: 200, data: [1] })
    expect(read(answer('<a/>', { 'content-type': 'application/xml' }))).toEqual({
      status: 200,
      text: '<a/>',
    })
    expect(read(answer('', {}, 204))).toEqual({ status: 204 })
  })

  test('of bytes is an artifact, with its content only if it is small', () => {
    const given = answer(Uint8Array.of(1, 2, 3), { 'content-type': 'image/png' })
    const artifact = {
      media_type: 'image/png',
      bytes: 3,
      sha256: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81',
    }
    expect(read(given)).toEqual({ status: 200, artifact: { ...artifact, base64: 'AQID' } })
    expect(read(given, { maxArtifactBytes: 2 })).toMatchObject({
      artifact,
      truncated: expect.stringContaining('too many'),
    })
    expect(read(given, { maxArtifactBytes: 2 }).artifact).not.toHaveProperty('base64')
  })

  test('that is too large loses the end of its longest list, and says so', () => {
    const items = Array.from({ length: 1_000 }, (_, id) => ({ id }))
    const given = read(answer(JSON.stringify({ total: 1_000, items })), { maxAnswerBytes: 1_000 })
    expect(JSON.stringify(given).length).toBeLessThan(1_200)
    expect(given).toMatchObject({
      data: { total: 1_000 },
      truncated: expect.stringMatching(/^items: the first \d+ of 1000/),
    })
  })

  test('that was cut off is text with a note, never partial JSON', () => {
    expect(read(answer('{"a":[1,2', undefined, 200, true))).toMatchObject({
      text: '{"a":[1,2',
      truncated: expect.any(String),
    })
  })

  test('names the arguments of the next page', () => {
    const link =
      '<https://h.example/a?page=1>; rel="prev", <https://h.example/a?page=3&x=1>; rel="next"'
    expect(read(answer('[]', { 'content-type': 'application/json', link }))).toMatchObject({
      next: { page: 3 },
    })
    expect(read(answer('{"response_metadata":{"next_cursor":"abc"}}'))).toMatchObject({
      next: { cursor: 'abc' },
    })
    expect(read(answer('{"has_more":true,"data":[{"id":"x1"},{"id":"x2"}]}'))).toMatchObject({
      next: { starting_after: 'x2' },
    })
    expect(read(answer('{"next_cursor":""}'))).not.toHaveProperty('next')
  })

  test('with a failed status says what it means for the effect', () => {
    const refusal = (status: number, headers = {}) => {
      try {
        return read(
          answer(
            '{"error":{"message":"no"}}',
            { 'content-type': 'application/json', ...headers },
            status,
          ),
        )
      } catch (error) {
        return error
      }
    }
    expect(refusal(422)).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      effect: 'refused',
      details: { provider_message: 'no' },
    })
    expect(refusal(429, { 'retry-after': '7' })).toMatchObject({
      effect: 'none',
      details: { retry_after_ms: 7_000 },
    })
    expect(refusal(503)).toMatchObject({ code: 'TOOL_EXTERNAL_SERVICE_ERROR', effect: 'possible' })
  })
})

describe('an answer that is too large', () => {
  const caller = {
    tenant: 'a',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  const link = { uri: 'surehand://artifacts/1', url: 'https://x/1', expires_at: 'later' }
  const keepAnswer = (given: ReturnType<typeof answer>, keep = async () => link) =>
    keepWhole(read(given), given, { caller, keep })

  test('has a link to the whole of it: bytes, a long text, a long list', async () => {
    const zip = { 'content-type': 'application/zip' }
    expect(await keepAnswer(answer(Buffer.alloc(70_000), zip))).toMatchObject({
      artifact: { media_type: 'application/zip', bytes: 70_000, ...link },
      truncated: expect.stringContaining('a link'),
    })
    const text = await keepAnswer(answer('x'.repeat(70_000), { 'content-type': 'text/plain' }))
    expect(text).toMatchObject({ text: 'x'.repeat(4_000), artifact: link })
    const rows = await keepAnswer(answer(JSON.stringify(Array(60_000).fill('a row'))))
    expect(rows).toMatchObject({ artifact: link, truncated: expect.stringContaining('items') })
    expect(await keepAnswer(answer('[1]'))).toEqual({ status: 200, data: [1] })
  })

  test('is cut as before where it cannot be stored, because the call has had its effect', async () => {
    const given = answer('x'.repeat(300_000), { 'content-type': 'text/plain' })
    const fails = () => Promise.reject(new Error('the store is away'))
    expect(await keepAnswer(given, fails)).toEqual(read(given))
  })
})
