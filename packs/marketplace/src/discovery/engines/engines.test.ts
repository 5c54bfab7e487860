import type { PlacesPort } from '@surehand/places'
import { expect, test } from 'vitest'
import { makePrivateTexts } from '../../../testing/private-texts.ts'
import { geminiModel } from '../../replies/model/gemini-model.ts'
import { openAiModel } from '../../replies/model/openai-model.ts'
import type { ReplyModel } from '../../replies/model/reply-model.ts'
import { writeQuestion } from '../../replies/model/write-question.ts'
import type { DiscoveryOrder } from '../discovery-port.ts'
import { writeQuery } from '../write-query.ts'
import { geminiSearch } from './gemini-search.ts'
import { openAiSearch } from './openai-search.ts'
import { placesSearch } from './places-search.ts'
import type { EngineQuery, SearchEngine } from './search-engine.ts'

const signal = new AbortController().signal
const nowhere: PlacesPort = { resolve: async () => null }

function record(reply: unknown) {
  const sent: { readonly url: string; readonly text: string }[] = []
  const fetch = async (url: unknown, init?: RequestInit) => {
    sent.push({ url: String(url), text: `${url} ${JSON.stringify(init?.headers)} ${init?.body}` })
    return Response.json(reply)
  }
  const access = { baseUrl: 'https://engine.example', key: 'secret', fetchFor: () => fetch }
  return { sent, access: access as never as Parameters<typeof placesSearch>[0] }
}

const ORDER: DiscoveryOrder = {
  tenant: 'home',
  postId: 'post_98765',
  kind: 'web',
  need: 'tyres',
  engine: 'auto',
  radiusKm: 5,
  maxResults: 10,
  idempotencyKey: 'k',
}
const QUERY: EngineQuery = writeQuery({ ...ORDER, category: 'cars', locationText: 'Remera' }, 'RW')

test('OpenAI is asked as its Responses API wants it', async () => {
  const { sent, access } = record({ status: 'completed', output: [] })
  await openAiSearch({ ...access, model: 'gpt-5.5' }).search({ ...QUERY, kind: 'social' }, signal)
  expect(sent[0]?.url).toBe('https://engine.example/responses')
  expect(JSON.parse(sent[0]?.text.replace(/^.*?\} (?=\{)/s, '') ?? '')).toEqual({
    model: 'gpt-5.5',
    input: expect.stringContaining('What is needed: "tyres"\nCategory: "cars"\nWhere: "Remera"'),
    tools: [
      {
        type: 'web_search',
        user_location: { type: 'approximate', country: 'RW' },
        filters: { allowed_domains: expect.arrayContaining(['instagram.com', 'linkedin.com']) },
      },
    ],
    tool_choice: 'required',
    store: false,
  })
})

test('an answer of OpenAI without citations, and a failed one', async () => {
  const plain = record({
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Nothing.' }] }],
  })
  expect(await openAiSearch({ ...plain.access, model: 'm' }).search(QUERY, signal)).toEqual([])
  const failed = record({ status: 'failed', error: { message: 'over capacity' }, output: [] })
  await expect(
    openAiSearch({ ...failed.access, model: 'm' }).search(QUERY, signal),
  ).rejects.toMatchObject({
    code: 'TOOL_EXTERNAL_SERVICE_ERROR',
  })
})

test('Gemini is asked with Google Search, and an item without an address has none', async () => {
  const { sent, access } = record({
    candidates: [{ groundingMetadata: { groundingChunks: [{ web: { title: 'x.example' } }, {}] } }],
  })
  const found = await geminiSearch({ ...access, model: 'gemini-2.5-flash' }).search(QUERY, signal)
  expect(found).toMatchObject([{ title: 'x.example', url: undefined }])
  expect(sent[0]?.url).toBe('https://engine.example/v1beta/models/gemini-2.5-flash:generateContent')
  expect(sent[0]?.text).toContain('"tools":[{"google_search":{}}]')
  const blocked = record({ promptFeedback: { blockReason: 'SAFETY' } })
  await expect(
    geminiSearch({ ...blocked.access, model: 'm' }).search(QUERY, signal),
  ).rejects.toThrow('SAFETY')
})

test('places outside the radius are left out', async () => {
  const at = (id: string, latitude: number) => ({
    id,
    googleMapsUri: `https://maps.google.com/?cid=${id}`,
    location: { latitude, longitude: 30.1243 },
  })
  const { sent, access } = record({ places: [at('near', -1.94), at('far', -1.99)] })
  const query = { ...QUERY, locationText: 'near Kimironko market', radiusKm: 3 }
  const found = await placesSearch({ ...access, gazetteer: nowhere }).search(query, signal)
  expect(found.map(({ place_id }) => place_id)).toEqual(['near'])
  expect(sent[0]?.text).toContain('locationRestriction')
})

test('no byte that leaves contains a phone number, an e-mail address or an id of 10,000 texts', async () => {
  const openAi = record({ status: 'completed', output: [] })
  const gemini = record({ candidates: [] })
  const places = record({})
  const bySearch = (engine: SearchEngine) => (need: string) =>
    engine.search(writeQuery({ ...ORDER, need }, 'RW'), signal)
  // A reply and the need of its request both leave for a model.
  const byModel = (model: ReplyModel) => async (text: string) => {
    const question = writeQuestion({ request: text, reply: `Yes, 12k. ${text}` })
    if (question !== undefined) await model.read({ tenant: 'home', question }, signal)
  }
  const engines = [
    { sent: openAi.sent, ask: bySearch(openAiSearch({ ...openAi.access, model: 'm' })) },
    { sent: gemini.sent, ask: bySearch(geminiSearch({ ...gemini.access, model: 'm' })) },
    {
      sent: places.sent,
      ask: bySearch(placesSearch({ ...places.access, gazetteer: nowhere })),
    },
    { sent: openAi.sent, ask: byModel(openAiModel({ ...openAi.access, model: 'm' })) },
    { sent: gemini.sent, ask: byModel(geminiModel({ ...gemini.access, model: 'm' })) },
  ]
  const leaks: string[] = []
  for (const [at, { text, phones, mails, ids }] of makePrivateTexts(10_000, 'bytes').entries()) {
    const chosen = engines[at % engines.length] as (typeof engines)[number]
    await chosen.ask(text)
    const bytes = chosen.sent.at(-1)?.text ?? ''
    const digits = bytes.replace(/\D/g, '')
    for (const secret of [...phones, ...mails, ...ids, ORDER.postId]) {
      const own = secret.replace(/\D/g, '')
      if (bytes.includes(secret) || (own.length >= 8 && digits.includes(own))) leaks.push(text)
    }
  }
  expect(leaks).toEqual([])
})
