import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, createRuntime } from '@surehand/core'
import { localParcels } from './local-parcels.ts'
import { parcelsPack } from './pack.ts'
import { redirectParcel } from './redirect-parcel.ts'
import { trackParcel } from './track-parcel.ts'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
const agent: Caller = { ...ann, actor: 'ai_agent' }

function openParcels() {
  const parcels = localParcels()
  const runtime = createRuntime({ packs: [parcelsPack], providers: { parcels } })
  const addressOf = async (id: string) =>
    (await parcels.find({ id }, AbortSignal.timeout(1_000)))?.address
  return { runtime, addressOf }
}

test('a parcel is found, and an unknown one is an error with a code', async () => {
  const { runtime } = openParcels()
  const found = await runtime.call({ tool: trackParcel, input: { id: 'p-1' }, caller: agent })
  assert.equal(found.status, 'done')
  const unknown = await runtime.call({ tool: trackParcel, input: { id: 'p-9' }, caller: agent })
  assert.equal(unknown.status, 'failed')
  assert.equal(unknown.error.code, 'TOOL_RESOURCE_NOT_FOUND')
})

test('an agent redirects a parcel once, after a person has approved it', async () => {
  const { runtime, addressOf } = openParcels()
  const input = { id: 'p-1', address: 'Park Lane 7, London', idempotencyKey: 'move-1' }
  const request = { tool: redirectParcel, input, caller: agent }

  const first = await runtime.call(request)
  assert.equal(first.status, 'pending')
  assert.equal(await addressOf('p-1'), 'Rua Augusta 1, Lisbon')

  const { id, digest } = first.approval
  await runtime.approvals.decide(ann, id, { verdict: 'approve', digest })
  const again = await runtime.call(request)
  assert.equal(again.status, 'done')
  assert.equal(again.source, 'replayed')
  assert.equal(await addressOf('p-1'), 'Park Lane 7, London')
})

test('what a person denies is not done', async () => {
  const { runtime, addressOf } = openParcels()
  const input = { id: 'p-2', address: 'Park Lane 7, London', idempotencyKey: 'move-2' }
  const asked = await runtime.call({ tool: redirectParcel, input, caller: agent })
  assert.equal(asked.status, 'pending')
  await runtime.approvals.decide(ann, asked.approval.id, {
    verdict: 'deny',
    digest: asked.approval.digest,
  })
  assert.equal(await addressOf('p-2'), 'Main Street 5, Dublin')
})
