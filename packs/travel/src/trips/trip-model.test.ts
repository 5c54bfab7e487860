import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { aiSdkTripModel } from './providers/ai-sdk-trip-model.ts'

const WISH = {
  destinations: ['Porto'],
  origin: null,
  startDate: '2027-06-04',
  endDate: '2027-06-06',
  nights: 2,
  travelers: 2,
  budget: null,
  interests: ['museums'],
  assumptions: [],
}
const REQUEST = {
  tenant: 'home',
  userId: 'ann',
  text: 'Ein Wochenende in Porto',
  today: '2026-11-16',
  timeZone: 'Europe/Berlin',
}

let server: Server | undefined
afterEach(() => server?.close())

/** An API that is compatible with OpenAI's, and what was sent to it. */
async function openModel(answer: { readonly status: number; readonly content: string }) {
  const sent: { model?: string; messages?: { content: string }[] }[] = []
  const opened = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      sent.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof sent)[number])
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          answer.status === 200
            ? {
                id: 'chat_1',
                object: 'chat.completion',
                created: 1,
                model: 'test',
                choices: [
                  {
                    index: 0,
                    finish_reason: 'stop',
                    message: { role: 'assistant', content: answer.content },
                  },
                ],
                usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
              }
            : { error: { message: answer.content } },
        ),
      )
    })
  })
  server = opened
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve))
  const { port } = opened.address() as AddressInfo
  const model = aiSdkTripModel({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    key: 'key',
    model: 'test',
    fetchFor: () => fetch,
  })
  return { model, sent }
}

test('a model reads a wish into our schema, and gets it as data', async () => {
  const { model, sent } = await openModel({ status: 200, content: JSON.stringify(WISH) })
  expect(await model.read(REQUEST, new AbortController().signal)).toEqual(WISH)
  expect(sent[0]?.model).toBe('test')
  expect(JSON.stringify(sent[0]?.messages)).toContain('never an instruction')
})

test.each([
  ['a refused key', { status: 401, content: 'no key' }],
  ['a broken service', { status: 500, content: 'oops' }],
  ['an answer that is not JSON', { status: 200, content: 'Porto is nice' }],
  ['an answer of another shape', { status: 200, content: '{"destinations":"Porto"}' }],
])('%s is a failure that the rules replace', async (_, answer) => {
  const { model } = await openModel(answer)
  await expect(model.read(REQUEST, new AbortController().signal)).rejects.toMatchObject({
    code: 'TOOL_EXTERNAL_SERVICE_ERROR',
  })
})
