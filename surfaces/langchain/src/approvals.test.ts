import { type Interrupt, MemorySaver } from '@langchain/langgraph'
import type { HITLRequest, ToolMessage } from 'langchain'
import { expect, test } from 'vitest'
import type { ApprovalRequest } from './ask-person.ts'
import { agent, ann, HOST, openShop, TRUSTING } from './fixtures/shop.ts'
import { edit, no, talk, yes } from './fixtures/talk.ts'
import { tools } from './tool.ts'

const requestIn = ([asked]: readonly Interrupt[]) => asked?.value as ApprovalRequest
const DEAR = { name: 'shop__orderDear', args: { product: 'piano' }, id: 'call_1' }

test('a call that requires approval interrupts the graph in LangChain’s format, with everything the person must see', async () => {
  const { runtime } = openShop()
  const { start } = await talk([DEAR], {
    runtime,
    caller: agent,
    host: HOST,
    approvalUrl: (id) => `https://approvals.example/${id}`,
  })
  const { interrupts } = await start()
  const [asked] = await runtime.approvals.list('acme')
  const value = requestIn(interrupts)
  const inTheirShape: HITLRequest = JSON.parse(JSON.stringify(value))
  expect(inTheirShape.actionRequests[0]).toEqual({
    name: 'shop__orderDear',
    args: { product: 'piano', count: 1 },
    description: `Order piano?\n\n${asked?.shown}\n\nIt can also be decided at https://approvals.example/${asked?.id}`,
  })
  expect(inTheirShape.reviewConfigs[0]).toMatchObject({
    actionName: 'shop__orderDear',
    allowedDecisions: ['approve', 'edit', 'reject'],
  })
  expect(value.surehand).toMatchObject({
    kind: 'approval',
    id: asked?.id,
    digest: asked?.digest,
    tool_call_id: 'call_1',
  })
})

test('the interrupt says so if the person cannot decide here', async () => {
  const { runtime } = openShop({ policy: TRUSTING })
  const burn = await talk([{ name: 'shop__burn', args: { product: 'shop' }, id: 'call_1' }], {
    runtime,
    caller: agent,
    host: HOST,
  })
  expect(requestIn((await burn.start()).interrupts).actionRequests[0].description).toContain(
    'An approval given here does not count',
  )
})

test('an approval of a trusted host is relayed as an attestation, and the call is done', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  const { reported, envelopes } = await resume(yes)
  expect(done).toEqual(['1 piano'])
  expect(envelopes[0]).toMatchObject({ status: 'success', data: { order: '1 piano' } })
  expect(reported[0]?.status).toBe('success')
  const [approval] = await runtime.approvals.list('acme')
  expect(approval?.decision).toMatchObject({
    verdict: 'approve',
    credential: 'attested',
    host: HOST,
    by: 'ann',
  })
})

test('a rejection is relayed, closes the request, and the model reads the person’s message', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  const { reported, envelopes } = await resume(no('Too loud.'))
  expect(done).toEqual([])
  expect(reported[0]?.status).toBe('error')
  expect(reported[0]?.text).toContain('The person says: Too loud.')
  expect(envelopes[0]?.error?.code).toBe('TOOL_APPROVAL_DENIED')
  expect((await runtime.approvals.list('acme'))[0]?.state).toBe('denied')
})

test('a rejection that does not count as a decision still withdraws the request: a later approval has no effect', async () => {
  const { runtime, done } = openShop()
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  const [asked] = await runtime.approvals.list('acme')
  const { envelopes } = await resume(no())
  expect(envelopes[0]?.error?.code).toBe('TOOL_CANCELLED')
  await runtime.approvals
    .decide(ann, asked?.id ?? '', { verdict: 'approve', digest: asked?.digest ?? '' })
    .catch(() => undefined)
  expect(done).toEqual([])
})

test('an edit is a new request: the old one is withdrawn, the new one requires approval, and only the new one is done', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  const first = requestIn((await start()).interrupts)
  const second = requestIn(
    (await resume(edit('shop__orderDear', { product: 'flute', count: 2 }))).interrupts,
  )
  expect(done).toEqual([])
  expect(second.actionRequests[0].args).toEqual({ product: 'flute', count: 2 })
  expect(second.surehand.digest).not.toBe(first.surehand.digest)
  const { envelopes } = await resume(yes)
  expect(envelopes[0]?.data).toEqual({ order: '2 flute' })
  const { id, digest } = first.surehand
  await runtime.approvals.decide(ann, id, { verdict: 'approve', digest }).catch(() => undefined)
  expect(done).toEqual(['2 flute'])
})

test('an edited call has its own key: the model’s original call, if repeated, is a separate call', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  await resume(edit('shop__orderDear', { product: 'flute', count: 2 }))
  await resume(yes)
  const dear = (await tools(runtime, agent)).find(({ name }) => name === DEAR.name)
  const again: ToolMessage | undefined = await dear?.invoke(
    { ...DEAR, type: 'tool_call' },
    { configurable: { thread_id: 'thread 1' } },
  )
  expect(again?.text).toContain('Nothing has been done yet')
  expect(done).toEqual(['2 flute'])
})

test('an invalid edit is not done, and the model reads why', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  const { envelopes } = await resume(edit('shop__orderDear', { product: '', count: 'two' }))
  expect(envelopes[0]?.error).toMatchObject({ code: 'TOOL_INVALID_INPUT' })
  expect(done).toEqual([])
})

test('a secret is shown as a digest, and an edit that leaves the digest keeps the secret', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const call = {
    name: 'shop__orderByCard',
    args: { product: 'piano', card: '4111111111111111' },
    id: 'call_1',
  }
  const { start, resume } = await talk([call], { runtime, caller: agent, host: HOST })
  const first = requestIn((await start()).interrupts)
  expect(JSON.stringify(first)).not.toContain('4111111111111111')
  const second = (
    await resume(edit('shop__orderByCard', { ...first.actionRequests[0].args, product: 'flute' }))
  ).interrupts[0]?.value
  expect(JSON.stringify(second)).not.toContain('4111111111111111')
  await resume(yes)
  expect(done).toEqual(['flute by 4111111111111111'])
})

test('a value that is not a decision decides nothing, and the request is shown again', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  for (const said of [
    'yes',
    { decisions: [] },
    { decisions: [{ type: 'approve' }, { type: 'approve' }] },
    edit('shop__burn', { product: 'x' }),
  ]) {
    const { interrupts } = await resume(said)
    expect(requestIn(interrupts).actionRequests[0].description).toContain('Nothing was decided.')
  }
  expect(done).toEqual([])
  expect((await resume(yes)).envelopes[0]?.status).toBe('success')
  expect(done).toEqual(['1 piano'])
})

test('an edit on the decision page is shown in the graph before an approval there counts', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  const [asked] = await runtime.approvals.list('acme')
  await runtime.approvals.edit(ann, asked?.id ?? '', { product: 'organ', count: 1 })
  const { interrupts } = await resume(yes)
  expect(done).toEqual([])
  expect(requestIn(interrupts).actionRequests[0].args).toEqual({ product: 'organ', count: 1 })
  await resume(yes)
  expect(done).toEqual(['1 organ'])
})

test.each([
  ['no', no()],
  ['edit', edit('shop__orderDear', { product: 'flute' })],
])(
  'a %s of the request that was shown does not withdraw a request that replaced it',
  async (_, said) => {
    const { runtime } = openShop()
    const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
    await start()
    const [asked] = await runtime.approvals.list('acme')
    const inItsPlace = await runtime.approvals.edit(ann, asked?.id ?? '', {
      product: 'organ',
      count: 1,
    })
    const { interrupts } = await resume(said)
    expect(requestIn(interrupts).surehand.id).toBe(inItsPlace.id)
    expect(await runtime.answer(ann, inItsPlace.callId)).toMatchObject({ status: 'pending' })
  },
)

test('a decision on the decision page is found when the graph is resumed, with any value', async () => {
  const { runtime, done } = openShop()
  const { start, resume } = await talk(
    [{ name: 'shop__burn', args: { product: 'shop' }, id: 'call_1' }],
    { runtime, caller: agent },
  )
  await start()
  const [asked] = await runtime.approvals.list('acme')
  await runtime.approvals.decide(ann, asked?.id ?? '', {
    verdict: 'approve',
    digest: asked?.digest ?? '',
  })
  const { envelopes } = await resume(no())
  expect(envelopes[0]).toMatchObject({ status: 'success', data: { order: 'ashes of shop' } })
  expect(done).toEqual(['ashes of shop'])
})

test('a person can decide after a restart: another process with the same stores and checkpoints', async () => {
  const before = openShop({ policy: TRUSTING })
  const checkpointer = new MemorySaver()
  await (
    await talk([DEAR], { runtime: before.runtime, caller: agent, host: HOST, checkpointer })
  ).start()
  const after = openShop({ policy: TRUSTING, stores: before.stores })
  const { resume } = await talk([], {
    runtime: after.runtime,
    caller: agent,
    host: HOST,
    checkpointer,
  })
  const { envelopes } = await resume(yes)
  expect(envelopes[0]?.data).toEqual({ order: '1 piano' })
  expect([before.done, after.done]).toEqual([[], ['1 piano']])
})
