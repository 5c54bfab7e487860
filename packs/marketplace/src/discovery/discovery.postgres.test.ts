import { createDatabase } from '@surehand/sql/testing/database'
import { expect, inject, test } from 'vitest'
import { openDiscoveryDatabase, openDiscoveryWorld } from '../../testing/discovery-world.ts'

const NEED = { need: 'amoxicillin 500mg', location_text: 'Kimironko' }

test('four nodes on PostgreSQL never exceed the budget of a post, and store an address once', async () => {
  const postgresUrl = await createDatabase(inject('postgres'))
  const database = await openDiscoveryDatabase(postgresUrl)
  const world = await openDiscoveryWorld({ database, nodes: 4 })
  try {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        world.call(
          at % 2 === 0 ? 'discovery.web_search_items' : 'discovery.social_profile_items',
          { ...NEED, post_id: `p${at % 3}` },
          { node: at % 4 },
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'success'))
    expect(world.sent()).toHaveLength(6)
    const rows = await world.query(
      'select post_id, taken from mk_discovery_budgets order by post_id',
    )
    expect(rows.map(({ taken }) => Number(taken))).toEqual([2, 2, 2])
    const twice = await world.query(
      'select url from external_feed_items group by tenant, post_id, source, url having count(*) > 1',
    )
    expect(twice).toEqual([])
    expect(
      (await world.call('discovery.maps_places_items', { need: 'pharmacy', post_id: 'p0' })).data,
    ).toMatchObject({ feed_items: [{ source: 'maps_places' }, {}, {}] })
  } finally {
    await world.close()
    await database.close()
  }
})
