import type { Caller } from '@surehand/core'
import { functionCalling } from '@surehand/function-calling'
import { lastResults, type ModelScript, startModelEmulator } from '@surehand/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MarketApp, openMarketApp } from './fixtures/market-app.ts'

const AGENT: Caller = {
  tenant: 'demo',
  principal: 'moltbot',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: [],
  session: 's1',
}
const NEED = 'Hello, I need amoxicillin 500 mg near Kimironko'

let app: MarketApp
beforeAll(async () => {
  app = await openMarketApp({ MARKETPLACE_ORCHESTRATOR: 'off' })
})
afterAll(() => app.close())

type Snapshot = {
  readonly request_id: string
  readonly state: string
  readonly vendor_outreach_summary: { readonly sent: number; readonly replied: number }
}

async function snapshot(requestId: string): Promise<Snapshot> {
  const outcome = await app.call('marketplace.get_request_snapshot', { request_id: requestId })
  if (outcome.status !== 'done') throw new Error('There is no snapshot.')
  return outcome.data as Snapshot
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('It did not happen in time.')
}

/** Talks with a scripted model until it makes no more calls, as a host of OpenAI's API does. */
async function converse(prompt: string, script: ModelScript): Promise<string> {
  const model = await startModelEmulator({ script })
  const calling = functionCalling(app.server.app.runtime, AGENT, {
    provider: 'openai-chat',
    run: prompt,
  })
  const messages: unknown[] = [{ role: 'user', content: prompt }]
  try {
    for (;;) {
      const response = await fetch(`${model.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer emulated' },
        body: JSON.stringify({ model: 'gpt-4.1', messages, tools: await calling.tools() }),
      })
      const completion = (await response.json()) as {
        readonly choices: readonly { readonly message: { readonly content: string | null } }[]
      }
      const results = await calling.handle(completion)
      messages.push(completion.choices[0]?.message, ...results)
      if (results.length === 0) return completion.choices[0]?.message.content ?? ''
    }
  } finally {
    await model.stop()
  }
}

test('a model drives a request from a message on a phone to offers, with the tools of the document', async () => {
  const { whatsapp } = app
  const client = [...whatsapp.state.phones.values()].find(({ role }) => role === 'client')
  whatsapp.act(client?.number ?? '', { type: 'text', text: NEED })
  const requestId = await until(async () => {
    const outcome = await app.call('marketplace.list_requests', {})
    const { requests } = (outcome.status === 'done' ? outcome.data : { requests: [] }) as {
      requests: { request_id: string; need: string | null }[]
    }
    return requests.find(({ need }) => need !== null)?.request_id
  })
  const move = (new_state: string) => ({
    name: 'marketplace__update_request_state',
    arguments: { request_id: requestId, new_state },
  })

  const offered = new Set<string>()
  const asked = await converse('A client wrote.', (conversation) => {
    for (const { name } of conversation.tools) offered.add(name)
    switch (conversation.turns.filter(({ role }) => role === 'tool').length) {
      case 0:
        return {
          calls: [
            { name: 'marketplace__get_request_snapshot', arguments: { request_id: requestId } },
          ],
        }
      case 1:
        return {
          calls: [
            {
              name: 'marketplace__search_vendors',
              arguments: { request_id: requestId, category: 'pharmacy', limit: 2 },
            },
            move('vendor_outreach'),
          ],
        }
      case 2: {
        const found =
          conversation.turns.findLast((turn) => turn.role === 'tool')?.results[0]?.text ?? ''
        const ids = [...new Set(found.match(/"vendor_id":\s*"([^"]+)"/g))].map(
          (text) => text.split('"')[3],
        )
        return {
          calls: ids.map((id) => ({
            name: 'marketplace__send_vendor_message',
            arguments: {
              request_id: requestId,
              vendor_id: id,
              message: `Do you have amoxicillin 500 mg? Ask ${client?.number}.`,
            },
          })),
        }
      }
      case 3:
        return { calls: [move('awaiting_vendor_replies')] }
      default:
        return {
          text: lastResults(conversation)
            .map(({ text }) => text)
            .join(),
        }
    }
  })
  expect(asked).toContain('awaiting_vendor_replies')
  expect((await snapshot(requestId)).vendor_outreach_summary).toMatchObject({ sent: 2 })
  // The parts of the tools are not offered to a model.
  expect([...offered].filter((name) => name.startsWith('marketplace__'))).toHaveLength(10)

  const vendors = [...whatsapp.state.messages.values()].filter(
    ({ opaque, phone }) => opaque !== undefined && phone !== client?.number,
  )
  expect(JSON.stringify(vendors.map(({ content }) => content))).not.toContain(
    client?.number.slice(-9),
  )
  for (const { phone } of vendors)
    whatsapp.act(phone, { type: 'text', text: 'Yes we have it, 12k' })
  await until(async () =>
    (await snapshot(requestId)).vendor_outreach_summary.replied === 2 ? true : undefined,
  )
  await converse('Vendors answered.', (conversation) => {
    switch (conversation.turns.filter(({ role }) => role === 'tool').length) {
      case 0:
        return {
          calls: [
            move('shortlist_ready'),
            {
              name: 'marketplace__send_client_message',
              arguments: {
                request_id: requestId,
                message: 'Two pharmacies have it for 12,000 RWF.',
              },
            },
          ],
        }
      default:
        return { text: 'done' }
    }
  })
  expect((await snapshot(requestId)).state).toBe('shortlist_ready')
  const received = [...whatsapp.state.messages.values()].filter(
    ({ phone, opaque }) => phone === client?.number && opaque !== undefined,
  )
  expect(received.map(({ content }) => JSON.stringify(content))).toEqual([
    expect.stringContaining('Two pharmacies have it'),
  ])
}, 60_000)
