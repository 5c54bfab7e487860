import type { Caller } from '@surehand/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ANN, openPersonalWorld, type PersonalWorld } from '../../testing/personal-world.ts'
import { consented } from '../data/fixtures/consented.ts'

let world: PersonalWorld
let turn = 0
let me: Caller = ANN
beforeAll(async () => {
  world = await openPersonalWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  me = { ...ANN, tenant: `home${++turn}` }
})

const add = (title: string, body = '', more: object = {}) =>
  world.data('knowledge.note_add', { title, body, ...more }, me)
const link = (from: string, to: string, relation?: string) =>
  world.data(
    'knowledge.note_link',
    { from, to, ...(relation === undefined ? {} : { relation }) },
    me,
  )
async function searchTitles(input: object): Promise<readonly string[]> {
  const { notes } = (await world.data('knowledge.note_search', input, me)) as {
    notes: readonly { title: string }[]
  }
  return notes.map(({ title }) => title)
}

describe('a search', () => {
  test('finds words, beginnings, misspellings, tags and aliases, titles first', async () => {
    await add('Compost', 'Turn it weekly. #garden/soil', {
      tags: ['howto'],
      aliases: ['Komposthaufen'],
    })
    await add('Shopping', 'compost, nails')
    expect(await searchTitles({ query: 'compost' })).toEqual(['Compost', 'Shopping'])
    expect(await searchTitles({ query: 'weekl' })).toEqual(['Compost'])
    expect(await searchTitles({ query: 'compsot' })).toEqual(['Compost', 'Shopping'])
    expect(await searchTitles({ query: 'komposthaufen' })).toEqual(['Compost'])
    expect(await searchTitles({ tag: '#garden' })).toEqual(['Compost'])
    expect(await searchTitles({ query: 'nails', tag: 'howto' })).toEqual([])
    expect(await searchTitles({})).toEqual(['Shopping', 'Compost'])
  })

  test('sees changes at once, also when everything was deleted and imported in the same moment', async () => {
    await add('One', 'apple')
    expect(await searchTitles({ query: 'apple' })).toEqual(['One'])
    await add('Two', 'apple')
    expect(await searchTitles({ query: 'apple' })).toHaveLength(2)
    const { content } = await world.data('data.export', {}, me)
    await consented(world, { tool: 'data.delete_all', input: {}, caller: me })
    expect(await searchTitles({ query: 'apple' })).toEqual([])
    await consented(world, {
      tool: 'data.import',
      input: { format: 'json', content, dry_run: false },
      caller: me,
    })
    expect(await searchTitles({ query: 'apple' })).toHaveLength(2)
  })

  test('returns pages', async () => {
    for (const title of ['a', 'b', 'c']) await add(title, 'same')
    const first = await world.data('knowledge.note_search', { query: 'same', limit: 2 }, me)
    expect(first).toMatchObject({ total: 3, next_cursor: '2' })
    expect(await searchTitles({ query: 'same', limit: 2, cursor: '2' })).toHaveLength(1)
    expect((await world.call('knowledge.note_search', { cursor: 'x' }, me)).error?.code).toBe(
      'TOOL_INVALID_FIELD_VALUE',
    )
  })
})

describe('links', () => {
  test('are known from both ends, also to a note that is written later', async () => {
    expect(await add('Beds', 'See [[Seeds]].')).toMatchObject({
      note: { links: [{ relation: 'links_to', title: 'Seeds' }] },
    })
    const { note } = (await add('Seeds')) as { note: { id: string } }
    expect(note).toMatchObject({ backlinks: [{ relation: 'links_to', title: 'Beds' }] })
    expect(await link('seeds', 'bed', 'part_of')).toMatchObject({
      from: { title: 'Seeds', links: [{ relation: 'part_of', title: 'Beds' }] },
      to: {
        title: 'Beds',
        links: [{ title: 'Seeds', id: note.id }],
        backlinks: [{ relation: 'part_of', title: 'Seeds' }],
      },
    })
  })

  test('are created once, not to the note itself, and not under a reserved property', async () => {
    await add('A')
    await add('B')
    await link('A', 'B')
    expect((await world.call('knowledge.note_link', { from: 'A', to: 'B' }, me)).error?.code).toBe(
      'TOOL_RESOURCE_ALREADY_EXISTS',
    )
    expect((await world.call('knowledge.note_link', { from: 'A', to: 'A' }, me)).error?.code).toBe(
      'TOOL_INVALID_FIELD_VALUE',
    )
    expect(
      (await world.call('knowledge.note_link', { from: 'A', to: 'B', relation: 'tags' }, me)).error
        ?.code,
    ).toBe('TOOL_INVALID_FIELD_VALUE')
  })

  test('report an ambiguous name', async () => {
    await add('Plan of the kitchen')
    await add('Plan of the garden')
    const refused = await world.call(
      'knowledge.note_link',
      { from: 'Plan', to: 'Plan of the kitchen' },
      me,
    )
    expect(refused.error).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      message: expect.stringContaining('"Plan of the garden", "Plan of the kitchen"'),
    })
  })
})

test('a title is unique in any case, and its file has a name of its own', async () => {
  expect(await add('Q: what?')).toMatchObject({ note: { title: 'Q: what?', path: 'Q what.md' } })
  expect(await add('Q what', '', { folder: '../..//etc' })).toMatchObject({
    note: { path: 'etc/Q what.md' },
  })
  expect(await add('Q what.')).toMatchObject({ note: { path: 'Q what 2.md' } })
  const refused = await world.call('knowledge.note_add', { title: 'q: WHAT?' }, me)
  expect(refused.error).toMatchObject({
    code: 'TOOL_RESOURCE_ALREADY_EXISTS',
    details: { title: 'Q: what?' },
  })
})
