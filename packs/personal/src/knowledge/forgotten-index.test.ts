import { expect, test } from 'vitest'
import { openPersonalWorld } from '../../testing/personal-world.ts'
import { consented } from '../data/fixtures/consented.ts'

test('notes searched before the deletion of a person are not counted afterwards', async () => {
  const world = await openPersonalWorld()
  try {
    await world.data('knowledge.note_add', { title: 'My secret', body: 'x' })
    expect(await world.data('knowledge.note_search', { query: 'secret' })).toMatchObject({
      total: 1,
    })
    await consented(world, { tool: 'data.delete_all', input: {} })
    await world.clock.advance(60_000)
    await world.data('knowledge.note_add', { title: 'New', body: 'y' })
    expect(await world.data('knowledge.note_search', { query: 'secret' })).toEqual({
      notes: [],
      total: 0,
    })
    expect(await world.data('knowledge.note_search', {})).toMatchObject({
      total: 1,
      notes: [{ title: 'New' }],
    })
  } finally {
    await world.close()
  }
})
