import { decodeVector, encodeVector } from '@surehand/discovery'
import { describe, expect, test } from 'vitest'
import { searchForeignMemories } from '../../testing/foreign-memories.ts'
import { ANN, BOB, openTravelWorld } from '../../testing/travel-world.ts'
import { cosine } from './embedding.ts'
import { ownMemories } from './providers/own-memories.ts'
import { rankMemories } from './search-user-memories.ts'

type Found = readonly { readonly id: string; readonly content: string; readonly score: number }[]

describe('memories', () => {
  test('are found by their words, and forgotten for good', async () => {
    const world = openTravelWorld()
    const seat = await world.data<{ id: string; createdAt: string }>('addConversationMemory', {
      content: 'Prefers window seats on trains.',
      category: 'user_preference',
    })
    await world.data('addConversationMemory', { content: 'Was in Porto in June.' })
    expect(seat.createdAt).toBe(new Date(world.clock.now()).toISOString())
    const found = await world.data<Found>('searchUserMemories', { query: 'window seat' })
    expect(found.map(({ id }) => id)).toEqual([seat.id])
    await world.data('forgetMemory', { id: seat.id })
    expect(await world.data('searchUserMemories', { query: 'window seat' })).toEqual([])
    expect(await world.stores.calls.query('select content from travel_memories')).toEqual([
      { content: 'Was in Porto in June.' },
    ])
  })

  test('of another person are neither found nor forgotten', async () => {
    const world = openTravelWorld()
    const { id } = await world.data<{ id: string }>('addConversationMemory', {
      content: 'Allergic to peanuts.',
    })
    expect(await world.data('searchUserMemories', { query: 'peanuts' }, BOB)).toEqual([])
    const elsewhere = { ...ANN, tenant: 'other' }
    expect(await world.data('searchUserMemories', { query: 'peanuts' }, elsewhere)).toEqual([])
    expect(await world.data('forgetMemory', { id }, BOB)).toEqual({ id, forgotten: false })
    expect(await world.data('searchUserMemories', { query: 'peanuts' })).toHaveLength(1)
  })

  test('of others are never found, whatever a person is called and searches for', async () => {
    // npm run bench -- travel tries it 10,000 times.
    const { found, foreign } = await searchForeignMemories(200, 'memories')
    expect(foreign).toEqual([])
    expect(found).toBeGreaterThan(200)
  })

  test('a user id in the input changes nothing: the caller decides whose they are', async () => {
    const world = openTravelWorld()
    await world.data('addConversationMemory', { content: 'Likes tiles.', userId: 'bob' })
    expect(await world.data('searchUserMemories', { query: 'tiles', userId: 'ann' }, BOB)).toEqual(
      [],
    )
    expect(await world.data('searchUserMemories', { query: 'tiles' })).toHaveLength(1)
  })

  test('are added once for a key, however often it is sent', async () => {
    const world = openTravelWorld()
    const input = { content: 'Likes tiles.' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        world.call('addConversationMemory', input, { idempotencyKey: 'same' }),
      ),
    )
    expect(answers.some(({ status }) => status === 'success')).toBe(true)
    expect(await world.data('searchUserMemories', { query: 'tiles' })).toHaveLength(1)
  })

  test('internal tools are closed to people and agents', async () => {
    const world = openTravelWorld()
    for (const actor of ['user', 'ai_agent'] as const)
      for (const tool of ['storeMemory', 'eraseMemory', 'storeShare', 'readSharedPlan'])
        expect(
          (
            await world.call(
              tool,
              { id: 'mem_1', token: 'x' },
              { caller: { ...ANN, actor, capabilities: ['*'], roles: ['admin', 'user'] } },
            )
          ).status,
        ).toBe('failed')
  })
})

describe('ranking', () => {
  const NOW = Date.parse('2026-11-16T00:00:00Z')
  const memory = (id: string, content: string, createdAt = '2026-11-01T00:00:00.000Z') => ({
    memory: { id, content, category: 'other' as const, createdAt },
  })

  test('without a model only memories that share a word are found', () => {
    const ranked = rankMemories([memory('a', 'likes fish'), memory('b', 'likes trains')], {
      query: 'fish soup',
      nowMs: NOW,
    })
    expect(ranked.map(({ id }) => id)).toEqual(['a'])
  })

  test('meaning decides, and words settle what is close', () => {
    const ranked = rankMemories(
      [
        { ...memory('far', 'hates crowds'), vector: [0.1, 0.9] },
        { ...memory('near', 'sits by the glass'), vector: [0.9, 0.1] },
        { ...memory('word', 'window seat'), vector: [0.89, 0.11] },
      ],
      { query: 'window', nowMs: NOW, vectors: [[1, 0]] },
    )
    expect(ranked.map(({ id }) => id)).toEqual(['word', 'near', 'far'])
  })

  test('of two that fit equally, the newer one comes first', () => {
    const ranked = rankMemories(
      [
        memory('old', 'wants a quiet room', '2024-01-01T00:00:00.000Z'),
        memory('new', 'wants a quiet room', '2026-11-15T00:00:00.000Z'),
      ],
      { query: 'quiet room', nowMs: NOW },
    )
    expect(ranked.map(({ id }) => id)).toEqual(['new', 'old'])
  })

  test('a stored vector points where the computed one did', () => {
    const vector = Array.from({ length: 512 }, (_, index) => Math.sin(index * 1.7) / 22)
    expect(cosine(vector, [...decodeVector(encodeVector(vector))])).toBeGreaterThan(0.999)
    expect(cosine([0, 0], [1, 0])).toBe(0)
    expect([...decodeVector(encodeVector([0, 0]))]).toEqual([0, 0])
  })
})

test('nothing of another person is found in 10,000 tries', async () => {
  const people = 20
  const rows = Array.from({ length: people * 5 }, (_, index) => {
    const owner = `person-${index % people}`
    return `insert into travel_memories (tenant, owner, id, content, category, session_id, created_at)
      values ('home', '${owner}', 'mem_${Math.floor(index / people)}', 'belongs to ${owner}: quiet hotel room number ${index}', 'other', 's', ${index})`
  })
  const world = openTravelWorld({ rows })
  const memories = ownMemories({
    query: async (sql, values) => world.stores.calls.query(sql, ...values),
    call: (request) => world.runtime.call(request),
  })
  const { signal } = new AbortController()
  const queries = ['quiet hotel', 'room', 'belongs to person-3', 'number 7']
  const isForeign = (principal: string, { content }: { readonly content: string }) =>
    !content.startsWith(`belongs to ${principal}:`)
  let foreign = 0
  let found = 0
  for (let index = 0; index < 10_000; index++) {
    const principal = `person-${index % people}`
    // Every twentieth try goes through the whole pipeline; the others read what it would rank.
    const read =
      index % 20 === 0
        ? await world.data<Found>(
            'searchUserMemories',
            { query: queries[(index / 20) % 4] ?? '', limit: 3 },
            { ...ANN, principal },
          )
        : await memories.list({ tenant: 'home', userId: principal, limit: 2_000 }, signal)
    found += read.length
    foreign += read.filter((memory) => isForeign(principal, memory)).length
  }
  expect({ foreign, hasFound: found > 10_000 }).toEqual({ foreign: 0, hasFound: true })
}, 60_000)
