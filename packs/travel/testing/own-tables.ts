import type { CallRequest, Outcome, Runtime } from '@surehand/core'
import { createRuntime, toEnvelope } from '@surehand/core'
import { hashJson } from '@surehand/core/internal'
import type { SqlStores } from '@surehand/sql'
import { expect } from 'vitest'
import { noEmbeddings } from '../src/memories/providers/no-embeddings.ts'
import { ownMemories } from '../src/memories/providers/own-memories.ts'
import { storedTravelData } from '../src/own-data/providers/stored-travel-data.ts'
import { travelTools } from '../src/pack.ts'
import { storedPlans } from '../src/plans/providers/stored-plans.ts'
import { storedSearchNotes } from '../src/providers/choose-providers.ts'
import { ownShares } from '../src/shares/providers/own-shares.ts'
import { noTripModel } from '../src/trips/providers/ai-sdk-trip-model.ts'
import { decide } from './decide.ts'
import { localPorts } from './local-ports.ts'
import { openTestHotel } from './test-hotel.ts'
import { ANN, BOB } from './travel-world.ts'

function openRuntime(stores: SqlStores) {
  const query = (sql: string, values: readonly (string | number | null)[]) =>
    stores.database.query(sql, values)
  const call = (request: CallRequest): Promise<Outcome> => runtime.call(request)
  const plans = storedPlans(stores.values, Date.now)
  const memories = ownMemories({ query, call })
  const runtime: Runtime = createRuntime({
    tools: travelTools,
    stores,
    providers: {
      ...localPorts,
      travelStays: openTestHotel(),
      travelSearchNotes: storedSearchNotes(stores.values),
      travelPlans: plans,
      travelMemories: memories,
      travelData: storedTravelData({ query, call, memories, plans }),
      travelEmbeddings: noEmbeddings(),
      travelModel: noTripModel(),
      travelShares: ownShares({ query, call, publicUrl: 'https://travel.example' }),
    },
  })
  return runtime
}

/** Memories and shared links in a real database, from their first row to their last. */
export async function exerciseOwnTables(stores: SqlStores): Promise<void> {
  const runtime = openRuntime(stores)
  const run = async (tool: string, input: object, caller = ANN) =>
    toEnvelope(
      await runtime.call({
        tool: `travel.${tool}`,
        input,
        caller,
        surface: 'test',
        idempotencyKey: hashJson([tool, caller.principal, input]),
      }),
    )
  const located = { ...ANN, ip: '192.0.2.7' }
  const memory = { content: 'Likes blue tiles.' }
  const added = (await run('addConversationMemory', memory, located)).data as {
    id: string
    createdAt: string
  }
  expect((await run('searchUserMemories', { query: 'tiles' })).data).toMatchObject([added])
  expect((await run('searchUserMemories', { query: 'tiles' }, BOB)).data).toEqual([])
  expect((await run('forgetMemory', { id: added.id })).data).toMatchObject({ forgotten: true })
  expect((await run('searchUserMemories', { query: 'blue tiles' })).data).toEqual([])

  const { planId } = (
    await run('createTravelPlan', {
      title: 'Lisbon',
      destinations: ['Lisbon'],
      startDate: '2027-05-10',
      endDate: '2027-05-12',
    })
  ).data as { planId: string }
  const asked = await run('sharePlan', { planId })
  await decide({ runtime }, asked, 'approve')
  const shared = await runtime.answer(ANN, asked.metadata.call_id)
  if (shared?.status !== 'done') throw new Error(`The plan is ${shared?.status}.`)
  const { url, shareId } = shared.data as { url: string; shareId: string }
  const system = { ...ANN, actor: 'system' as const, capabilities: ['travel.operate'] }
  const token = url.split('/').at(-1)
  const read = async () =>
    toEnvelope(
      await runtime.call({
        tool: 'travel.readSharedPlan',
        input: { token },
        caller: system,
        surface: 'test',
      }),
    )
  expect((await read()).status).toBe('success')
  expect((await run('getTravelPlan', { planId })).data).toMatchObject({ shares: [{ shareId }] })
  expect((await run('unsharePlan', { shareId })).data).toMatchObject({ shareId })
  expect((await read()).error?.code).toBe('TOOL_RESOURCE_NOT_FOUND')
  const deleting = await run('deleteAllData', {})
  await decide({ runtime }, deleting, 'approve')
  const deleted = await runtime.answer(ANN, deleting.metadata.call_id)
  expect(deleted).toMatchObject({ data: { deleted: { plans: 1, shares: 1 }, keptBookings: [] } })
  expect((await run('listTravelPlans', {})).data).toMatchObject({ total: 0 })
  const rows = JSON.stringify(await stores.database.query('select * from calls', []))
  expect(rows).toContain('travel.addConversationMemory')
  // Neither the text of the memory, which is encrypted, nor the address that it came from.
  expect(rows).not.toMatch(/blue tiles|192\.0\.2\.7/)
  await runtime.stop()
}
