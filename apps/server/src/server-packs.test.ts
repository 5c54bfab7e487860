import { expect, test } from 'vitest'
import { SERVER_TOOLS } from './config/built-in.ts'
import { demoPack } from './demo/pack.ts'
import { feedPack } from './packs/feed-address.ts'
import { registryPack } from './registry/registry-tools.ts'
import { configuredTools, loadServerPacks } from './server-packs.ts'

const SERVER = { packs: [{ ...feedPack, name: 'personal' }], demo: true }
const toolsFor = async (tool: string | undefined) =>
  (await loadServerPacks(SERVER, tool)).flatMap(({ tools }) => tools.map(({ id }) => id))
const ALL = [...registryPack.tools, ...feedPack.tools, ...demoPack.tools].map(({ id }) => id)

test.each(SERVER_TOOLS.filter((tool) => tool !== 'shop.gift' && !tool.startsWith('registry.')))(
  'in an app for %s there is that tool alone',
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
  const [demo] = await loadServerPacks({ packs: [], demo: true }, 'habit.list')
  expect(demo).toMatchObject({ name: 'demo', tools: [], grants: demoPack.grants })
})

test('an app without the demo brings none of it', async () => {
  expect(await loadServerPacks({ packs: [], demo: false }, undefined)).toEqual([registryPack])
})

test('what every server has for administrators does not count as configured', () => {
  expect(configuredTools([...registryPack.tools, ...demoPack.tools])).toEqual(demoPack.tools)
})
