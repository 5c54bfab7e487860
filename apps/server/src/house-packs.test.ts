import { expect, test } from 'vitest'
import { HOUSE_TOOLS } from './config/built-in.ts'
import { demoPack } from './demo/pack.ts'
import { housePacks } from './house-packs.ts'
import { feedPack } from './packs/feed-address.ts'

const HOUSE = { packs: [{ ...feedPack, name: 'personal' }], demo: true }
const toolsFor = async (tool: string | undefined) =>
  (await housePacks(HOUSE, tool)).flatMap(({ tools }) => tools.map(({ id }) => id))
const ALL = [...feedPack.tools, ...demoPack.tools].map(({ id }) => id)

test.each(HOUSE_TOOLS.filter((tool) => tool !== 'shop.gift'))(
  'in a house for %s there is that tool alone',
  async (tool) => {
    expect(await toolsFor(tool)).toEqual([tool])
  },
)

test('a gift asks and calls others: they are there with it', async () => {
  expect(await toolsFor('shop.gift')).toEqual(demoPack.tools.map(({ id }) => id))
})

test.each([undefined, 'tools.data.feed_address', 'shop.price@1', 'acme.ship'])(
  'for %s all are there',
  async (tool) => {
    expect(await toolsFor(tool)).toEqual(ALL)
  },
)

test('where none of its tools is needed the demo still gives its roles what it gives them', async () => {
  const [demo] = await housePacks({ packs: [], demo: true }, 'habit.list')
  expect(demo).toMatchObject({ name: 'demo', tools: [], grants: demoPack.grants })
})

test('a house without the demo brings none of it', async () => {
  expect(await housePacks({ packs: [], demo: false }, undefined)).toEqual([])
})
