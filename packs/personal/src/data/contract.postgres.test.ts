import type { Caller } from '@surehand/core'
import { createDatabase } from '@surehand/sql/testing/database'
import { expect, inject, test } from 'vitest'
import { ADMIN, ANN } from '../../testing/personal-world.ts'
import { openVaultWorld } from '../knowledge/fixtures/vault-world.ts'
import { consented } from './fixtures/consented.ts'
import { exportOf, ROWS } from './fixtures/rows.ts'

const ann: Caller = { ...ANN, capabilities: ['preferences.read', 'preferences.write'] }

test('every tool of knowledge, data and system works on PostgreSQL as it does on SQLite', async () => {
  const world = await openVaultWorld({ postgresUrl: await createDatabase(inject('postgres')) })
  try {
    const imported = await consented(world, {
      tool: 'data.import',
      input: { format: 'json', content: exportOf(ROWS), dry_run: false },
    })
    expect(imported.data).toMatchObject({ added_total: 17, problems: [] })
    expect(
      await world.data('data.import', { format: 'json', content: exportOf(ROWS) }),
    ).toMatchObject({
      added_total: 0,
      duplicates_total: 17,
    })
    expect(
      await world.data('knowledge.note_add', { title: 'Beds', body: 'South of [[Plan]]' }),
    ).toMatchObject({
      note: { links: [{ title: 'Plan' }] },
    })
    expect(await world.data('knowledge.note_link', { from: 'Beds', to: 'Seeds' })).toMatchObject({
      to: { backlinks: [{ title: 'Plan' }, { title: 'Beds' }] },
    })
    expect(
      await world.data('knowledge.note_search', { query: 'soth', detail: 'full' }),
    ).toMatchObject({
      total: 1,
      notes: [{ title: 'Beds' }],
    })
    expect(await world.data('data.sync_vault', {})).toMatchObject({ written: 3, problems: [] })
    expect(Object.keys(world.files())).toEqual(['Beds.md', 'Plan.md', 'f/Seeds.md'])
    expect(await world.data('data.report', { from: '2026-01-01', to: '2026-01-31' })).toMatchObject(
      {
        numbers: expect.arrayContaining([
          expect.objectContaining({ name: 'tasks_completed', value: 1 }),
        ]),
      },
    )
    expect(await world.data('data.calendar_feed', {})).toMatchObject({ items: 4 })
    expect(await world.data('data.analyze', {}, ADMIN)).toMatchObject({ fewest_people: 3 })
    expect(await world.data('system.preferences_set', { work_start: '08:00' }, ann)).toEqual({
      changed: ['work_start'],
    })
    expect(await world.data('system.preferences_get', {}, ann)).toMatchObject({
      preferences: expect.arrayContaining([
        expect.objectContaining({ value: '08:00', from: 'you' }),
      ]),
    })
    expect(
      await world.data('system.config_set', { name: 'import_max_items', value: 100 }, ADMIN),
    ).toMatchObject({ value: '100' })
    expect(
      await world.data('system.config_get', { name: 'import_max_items' }, ADMIN),
    ).toMatchObject({
      settings: [{ value: 100, is_set: true }],
    })
    expect(await world.data('system.status', {}, ADMIN)).toMatchObject({
      people: 1,
      rows: { tasks: 3, notes: 4 },
    })
    const whole = await world.data('data.export', {})
    expect(
      await world.data('data.import', { format: 'json', content: whole.content }),
    ).toMatchObject({ added_total: 0, problems: [] })
    const page = await world.data('data.export', { limit: 7 })
    expect(page).toMatchObject({ rows: 7, next_cursor: expect.any(String) })
    expect(await world.data('data.export', { cursor: page.next_cursor })).not.toHaveProperty(
      'next_cursor',
    )
    expect((await consented(world, { tool: 'data.delete_all', input: {} })).data).toMatchObject({
      projects_handed_over: 1,
      deleted: { tasks: 3, notes: 4 },
    })
    expect((await consented(world, { tool: 'data.forget_vault', input: {} })).data).toEqual({
      files: 3,
    })
    expect(world.files()).toEqual({})
  } finally {
    await world.close()
  }
})
