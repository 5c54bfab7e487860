import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeClock } from '@surehand/conformance'
import {
  type Caller,
  createRuntime,
  definePack,
  definePort,
  defineTool,
  memoryStores,
  type Runtime,
  type Stores,
  sameKey,
  ToolError,
} from '@surehand/core'
import { type AdminItem, type Notice, type NoticeStore, systemEntropy } from '@surehand/core/ports'
import { createEgress, type Egress } from '@surehand/egress'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { parsePrivateHosts } from '../imports/private-hosts.ts'
import { createDeliveries, post, signWebhook } from './deliver.ts'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['admin', 'user'],
  capabilities: [],
}
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const port = definePort<{ readonly make: (args: object) => Promise<string> }>('make', {
  make: sameKey({ validFor: '1h' }),
})
const contract = { effect: 'writes.x', reversible: true, idempotency: 'caller' } as const
const about = {
  title: 'T',
  category: 'custom',
  description: 'D.',
  input: z.object({}),
  output: z.string(),
} as const
const make = defineTool({
  ...about,
  id: 'a.make',
  kind: 'async',
  contract,
  ports: { make: port },
  execute: ({ ports }) => ports.make.make({}),
})
const look = defineTool({
  ...about,
  id: 'a.look',
  contract: { effect: 'read' },
  execute: async () => 'seen',
})

type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string }

let heard: Heard[]
let status: number
let listener: Server
let stores: Stores
const clock = fakeClock()

beforeEach(async () => {
  heard = []
  status = 200
  stores = memoryStores({ clock })
  listener = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    heard.push({ headers: request.headers, body })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
})
afterEach(() => listener.close())

function url(): string {
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`
}

const troubles: string[] = []

function noticeFor(tenant: string, webhook: string, callId: string): Notice {
  const tool = { toolId: 'a.make', toolVersion: '1.0.0' }
  return {
    ...tool,
    tenant,
    webhook,
    callId,
    state: 'succeeded',
    code: undefined,
    endedAt: 0,
    tries: 0,
  }
}

/** Notices that are due until they are taken. */
function queueOf(notices: readonly Notice[]): NoticeStore {
  let rest = notices
  return {
    endpoints: () => rest,
    due({ tenant, webhook }, limit) {
      const taken = rest
        .filter((notice) => notice.tenant === tenant && notice.webhook === webhook)
        .slice(0, limit)
      rest = rest.filter((notice) => !taken.includes(notice))
      return taken
    },
    settle: () => undefined,
    list: () => [],
  }
}

function hookAt(id: string): AdminItem {
  const value = JSON.stringify({ url: `http://${id}.example/hook`, secret: SECRET })
  return { kind: 'webhook', id, value, version: 1 } as AdminItem
}
async function deliver(opened: readonly string[] = [new URL(url()).host]): Promise<void> {
  const onTrouble = (thrown: unknown) => troubles.push(String(thrown))
  const egress = createEgress({
    policyOf: (tenant) => ({ allow: parsePrivateHosts(opened)(tenant) }),
  })
  const deliveries = createDeliveries({ stores, clock, egress, random: () => 0.5, onTrouble })
  await deliveries.begin()
  await deliveries.end()
  await egress.close()
}

function makingRuntime(): Runtime {
  return createRuntime({
    packs: [definePack({ name: 'p', tools: [make, look] })],
    stores,
    clock,
    entropy: systemEntropy(),
    providers: { make: { make: async () => 'made' } },
  })
}

/** A job that has ended, of which `ops` is to hear. */
async function endedJob(): Promise<string> {
  const runtime = makingRuntime()
  await runtime.administration.change(ann, {
    kind: 'webhook',
    id: 'ops',
    value: { url: url(), secret: SECRET },
  })
  const accepted = await runtime.call({
    tool: 'a.make',
    input: {},
    caller: ann,
    surface: 'test',
    notify: 'ops',
  })
  await deliver()
  expect(heard).toEqual([])
  runtime.start()
  await clock.advance(1_000)
  await runtime.stop()
  for (const [tool, notify] of [
    ['a.make', 'nobody'],
    ['a.look', 'ops'],
  ] as const)
    expect(
      await runtime.call({ tool, input: {}, caller: ann, surface: 'test', notify }),
    ).toMatchObject({
      error: { code: 'TOOL_INVALID_FIELD_VALUE' },
    })
  return accepted.facts.callId
}

test('the end of a job is told once, signed, without its answer', async () => {
  const callId = await endedJob()
  await deliver()
  await deliver()
  expect(heard).toHaveLength(1)
  const [{ headers, body } = { headers: {}, body: '' }] = heard
  expect(JSON.parse(body)).toMatchObject({
    type: 'call.ended',
    data: { call_id: callId, tool: 'a.make', state: 'succeeded' },
  })
  expect(body).not.toContain('made')
  expect(headers['webhook-id']).toBe(callId)
  const signed = signWebhook(SECRET, { id: callId, at: Number(headers['webhook-timestamp']), body })
  expect(headers['webhook-signature']).toBe(signed)
  expect(
    signWebhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`, { id: callId, at: 1, body }),
  ).not.toBe(signed)
})

test('an endpoint that does not answer is called again at growing intervals, and then no more', async () => {
  status = 500
  await endedJob()
  let days = 0
  for (; days < 400; days++) {
    await deliver()
    await clock.advance(3_600_000)
  }
  expect(heard).toHaveLength(8)
  expect(troubles.at(-1)).toContain('it responded with status 500')
})

test('one whose key is lost is told when the key is back, and a call that names it is told so', async () => {
  const { admin } = stores
  await endedJob()
  const unopened = new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'The stored webhook "ops" does not open.',
  )
  const withoutKey: Stores['admin'] = {
    ...admin,
    get: async (...which) => {
      const item = await admin.get(...which)
      return item?.kind === 'webhook' ? { ...item, value: '', unopened } : item
    },
  }
  stores = { ...stores, admin: withoutKey }
  await deliver()
  expect(heard).toEqual([])
  const { call } = makingRuntime()
  expect(
    await call({ tool: 'a.make', input: {}, caller: ann, surface: 'test', notify: 'ops' }),
  ).toMatchObject({
    error: { code: 'TOOL_CONFIGURATION_ERROR', message: unopened.message },
  })
  stores = { ...stores, admin }
  await clock.advance(10_000)
  await deliver()
  expect(heard).toHaveLength(1)
})

test('a webhook is read from the store once, until it is changed or removed', async () => {
  const { admin } = stores
  let reads = 0
  const counting: Stores['admin'] = {
    ...admin,
    get(...which) {
      if (which[1] === 'webhook') reads++
      return admin.get(...which)
    },
  }
  stores = { ...stores, admin: counting }
  const { call, administration } = makingRuntime()
  const about = { kind: 'webhook', id: 'ops' } as const
  await administration.change(ann, { ...about, value: { url: url(), secret: SECRET } })
  const callNotified = () =>
    call({ tool: 'a.make', input: {}, caller: ann, surface: 'test', notify: 'ops' })
  for (let times = 0; times < 3; times++)
    expect(await callNotified()).toMatchObject({ status: 'accepted' })
  expect(reads).toBe(1)
  await administration.change(ann, { ...about, value: undefined, expected: 1 })
  expect(await callNotified()).toMatchObject({ error: { code: 'TOOL_INVALID_FIELD_VALUE' } })
})

test('an endpoint that hangs keeps no other tenant and no other endpoint waiting', async () => {
  const open = Promise.withResolvers<void>()
  const reached: string[] = []
  const posts: Egress['stream'] = async ({ url: address }) => {
    const { hostname } = new URL(address)
    reached.push(hostname)
    if (hostname === 'slow.example') await open.promise
    return { status: 200, discard: () => undefined } as Awaited<ReturnType<Egress['stream']>>
  }
  const notices = [
    ...Array.from({ length: 100 }, (_, index) => noticeFor('greedy', 'slow', `call_${index}`)),
    noticeFor('greedy', 'fast', 'call_fast'),
    noticeFor('acme', 'fast', 'call_acme'),
  ]
  const deliveries = createDeliveries({
    stores: {
      notices: queueOf(notices),
      admin: { ...stores.admin, get: async (_, __, id) => hookAt(id) },
    },
    clock,
    egress: { ...createEgress(), stream: posts },
    random: () => 0.5,
    onTrouble: (thrown) => troubles.push(String(thrown)),
  })
  await deliveries.begin()
  await deliveries.begin()
  await expect
    .poll(() => reached.toSorted())
    .toEqual(['fast.example', 'fast.example', ...Array.from({ length: 4 }, () => 'slow.example')])
  open.resolve()
  await deliveries.end()
})

test('a deleted endpoint is called no more', async () => {
  status = 410
  await endedJob()
  await deliver()
  await clock.advance(100_000)
  await deliver()
  expect(heard).toHaveLength(1)
})

test.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://10.1.2.3/',
  'http://169.254.169.254/',
  'http://[::ffff:127.0.0.1]/',
  'http://localhost/',
])('%s is in our own app, and not written to', async (address) => {
  const egress = createEgress()
  const sent = { tenant: 'acme', url: address, headers: {}, body: '', timeoutMs: 1_000 }
  expect(await post(egress, sent)).toMatchObject({
    trouble: expect.stringContaining('was not contacted: it '),
  })
  await egress.close()
})

test('a host of our own may be named', async () => {
  await endedJob()
  await deliver([])
  expect(heard).toHaveLength(0)
  await clock.advance(60_000)
  await deliver([new URL(url()).host])
  expect(heard).toHaveLength(1)
})
