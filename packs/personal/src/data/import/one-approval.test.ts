import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPersonalWorld, type PersonalWorld } from '../../../testing/personal-world.ts'
import { consented } from '../fixtures/consented.ts'

let world: PersonalWorld
beforeEach(async () => {
  world = await openPersonalWorld()
})
afterEach(() => world.close())

/** The approval requests of the app, in any state. */
const requests = async () => (await world.query('select id from approvals')).map(({ id }) => id)

// Each format that has rows of several kinds or many of them.
const IMPORTS = [
  [
    'a list of tasks',
    { format: 'markdown', content: '- [ ] Call Bob\n- [ ] Buy seeds\n'.repeat(40) },
  ],
  ['projects', { format: 'csv', family: 'projects', content: 'name\nGarden\nAttic\nShed\n' }],
  [
    'a calendar',
    {
      format: 'icalendar',
      content: [
        'BEGIN:VCALENDAR',
        'BEGIN:VTODO',
        'UID:1',
        'SUMMARY:Call Bob',
        'END:VTODO',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    },
  ],
] as const

test.each(IMPORTS)('%s is imported after exactly one approval', async (_, input) => {
  // A report of what would happen requires none.
  expect(await world.data('data.import', { ...input, dry_run: true })).toMatchObject({
    applied: false,
  })
  expect(await requests()).toHaveLength(0)

  const applied = await consented(world, {
    tool: 'data.import',
    input: { ...input, dry_run: false },
  })
  expect(applied.error ?? applied.data).toMatchObject({ applied: true })
  expect(Number((applied.data as { readonly added_total: number }).added_total)).toBeGreaterThan(0)
  expect(await requests()).toHaveLength(1)
})
