import { createHmac } from 'node:crypto'
import { ToolError } from '@surehand/core'
import type { PackRequest } from '@surehand/core/host'
import { expect, test } from 'vitest'
import { WEBHOOK_ROUTES } from './webhook-routes.ts'

const BODY = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: 'waba_1',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '250700000000', phone_number_id: '1' },
            contacts: [{ profile: { name: 'Aline' }, wa_id: '250700001001' }],
            messages: [
              {
                from: '250700001001',
                id: 'wamid.1',
                timestamp: '1794820000',
                type: 'text',
                text: { body: 'Hello' },
              },
            ],
          },
        },
      ],
    },
  ],
})

type Failure = { readonly code: string; readonly source: 'executed' | 'replayed' }

async function deliver(failure: Failure | undefined): Promise<number> {
  const route = WEBHOOK_ROUTES.find(({ method }) => method === 'POST') ?? expect.fail('no route')
  const signature = createHmac('sha256', 'app-secret').update(BODY).digest('hex')
  const services = {
    secret: () => 'app-secret',
    setting: () => undefined,
    home: 'home',
    systemCaller: () => undefined,
    call: async () =>
      failure === undefined
        ? { status: 'accepted' }
        : {
            status: 'failed',
            source: failure.source,
            error: new ToolError(failure.code as 'TOOL_STORAGE_ERROR', 'It failed.'),
          },
  }
  const request = new Request('https://tools.example/marketplace/whatsapp', {
    method: 'POST',
    body: BODY,
    headers: { 'x-hub-signature-256': `sha256=${signature}` },
  })
  const received = { request, params: {}, caller: undefined, address: '', services }
  return (await route.handle(received as unknown as PackRequest)).status
}

test.each<[string, Failure | undefined, number]>([
  ['an event that is stored', undefined, 200],
  [
    'an event that failed when it was stored before',
    { code: 'TOOL_GATE_CLOSED', source: 'replayed' },
    200,
  ],
  ['an event that is being handled', { code: 'TOOL_ALREADY_RUNNING', source: 'executed' }, 200],
  ['an event whose outcome is open', { code: 'TOOL_OUTCOME_UNKNOWN', source: 'executed' }, 200],
  ['a full disk', { code: 'TOOL_STORAGE_ERROR', source: 'executed' }, 503],
  ['an internal error', { code: 'TOOL_INTERNAL_ERROR', source: 'executed' }, 503],
  ['a rate limit', { code: 'TOOL_RATE_LIMIT_EXCEEDED', source: 'executed' }, 503],
])('%s is acknowledged only if it is known to be stored', async (_, failure, status) => {
  expect(await deliver(failure)).toBe(status)
})
