import { definePack } from '@surehand/core'
import { modelInputSchema, wireName } from '@surehand/core/host'
import { expect, test } from 'vitest'
import { demoPack } from '../demo/pack.ts'
import { feedPack } from '../packs/feed-address.ts'
import { registryPack } from '../registry/registry-tools.ts'
import { BUILT_IN_PACKS, SERVER_TOOLS } from './built-in.ts'
import { readConfig } from './read-config.ts'

const env = { SUREHAND_BUILT_IN: 'personal,events', SUREHAND_LOG_LEVEL: 'silent' }
const loadedFor = async (tool: string | undefined) =>
  (await readConfig({ env, folder: import.meta.dirname, tool })).packs.map(({ name, tools }) => [
    name,
    tools.length > 0,
  ])

test.each(Object.entries(BUILT_IN_PACKS))(
  'what is known of the pack %s beforehand is what it says itself',
  async (name, builtIn) => {
    const pack = await builtIn.load()
    expect(pack.name).toBe(name)
    expect(builtIn.tools.toSorted()).toEqual(pack.tools.map(({ id }) => id).toSorted())
    expect(builtIn.grants).toEqual(Object.fromEntries(pack.grants))
    expect(builtIn.commands ?? []).toEqual(
      pack.commands.map(({ name, summary, usage }) => ({ name, summary, usage })),
    )
  },
)

// A third of what a tool took when 68 of them were listed in 254,554 characters.
const MOST_CHARACTERS = 254_554 / 68 / 3

test('a list of all tools costs a model a third of what it did', async () => {
  const packs = await Promise.all(Object.values(BUILT_IN_PACKS).map(({ load }) => load()))
  const listed = packs
    .flatMap(({ tools }) => tools)
    .filter(({ contract }) => contract.audience === 'everyone')
    .map((tool) => ({
      name: wireName(tool.id),
      title: tool.title,
      description: tool.description,
      inputSchema: modelInputSchema(tool),
    }))
  expect(JSON.stringify(listed).length / listed.length).toBeLessThan(MOST_CHARACTERS)
  expect(JSON.stringify(listed)).not.toContain('"items":false')
  // What tools call among themselves is not listed to agents.
  expect(listed.filter(({ name }) => name.includes('vault_'))).toEqual([])
})

test('the tools of the app itself are known', () => {
  expect(SERVER_TOOLS.toSorted()).toEqual(
    [...demoPack.tools, ...feedPack.tools, ...registryPack.tools].map(({ id }) => id).toSorted(),
  )
})

test.each([
  ['habit.list', true, false],
  ['events.capture', false, true],
  ['shop.price', false, false],
  // by another of its names, a version, or not known at all
  ['tools.habit.list', true, true],
  ['habit.list@2', true, true],
  ['acme.ship', true, true],
  [undefined, true, true],
])('for %s: personal %s, events %s', async (tool, personal, events) => {
  expect(await loadedFor(tool)).toEqual([
    ['personal', personal],
    ['events', events],
  ])
})

test('a pack that is left empty still gives its roles what it gives them', async () => {
  const whole = await readConfig({ env, folder: import.meta.dirname })
  const forOne = await readConfig({ env, folder: import.meta.dirname, tool: 'shop.price' })
  expect(forOne.packs.map(({ grants }) => grants)).toEqual(whole.packs.map(({ grants }) => grants))
})

test('beside a pack that is not built in, all packs are loaded: its tools may call any other', async () => {
  const pack = definePack({ name: 'acme', tools: [] })
  const { loadPacks } = await import('./load-packs.ts')
  const packs = await loadPacks([pack, 'personal'], {
    folder: import.meta.dirname,
    tool: 'shop.price',
  })
  expect(packs.map(({ tools }) => tools.length > 0)).toEqual([false, true])
})
