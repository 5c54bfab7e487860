import { afterAll, describe, expect, test } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { habitSeed } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)

describe('habit.update', () => {
  test('changes the given fields, clears those that are null, and lists what has changed', async () => {
    const world = await tenants.open(habitSeed)
    const input = {
      habit_name: 'Evening workout',
      difficulty: 'medium',
      cue: null,
      target_duration: 20,
      reward: 'Tea',
    }
    const { habit_info: info, changed } = await world.data('habit.update', input)
    expect(changed).toEqual(['cue', 'reward', 'target_duration'])
    expect(info).toMatchObject({
      name: 'Evening workout',
      difficulty: 'medium',
      target_duration: 20,
      reward: 'Tea',
      reminder_time: '19:30',
    })
    expect(info).not.toHaveProperty('cue')
  })

  test('refuses a call that changes nothing', async () => {
    const world = await tenants.open(habitSeed)
    expect((await world.call('habit.update', { habit_name: 'Budget' })).error?.code).toBe(
      'TOOL_INVALID_INPUT',
    )
  })

  test('refuses the name of another active habit in any capitals', async () => {
    const world = await tenants.open(habitSeed)
    expect(
      await world.call('habit.update', { habit_name: 'Budget', new_name: 'MORNING meditation' }),
    ).toMatchObject({
      error: {
        code: 'TOOL_RESOURCE_ALREADY_EXISTS',
        details: { existing_habit: { name: 'Morning meditation' } },
      },
    })
  })

  test('accepts the same name in other capitals', async () => {
    const world = await tenants.open(habitSeed)
    expect(
      await world.data('habit.update', { habit_name: 'budget', new_name: 'BUDGET' }),
    ).toMatchObject({
      habit_info: { name: 'BUDGET' },
      changed: ['name'],
    })
  })

  test('archives a habit: it is not listed, planned or found, and its name is free', async () => {
    const world = await tenants.open(habitSeed)
    await world.data('habit.update', { habit_name: 'Budget', status: 'archived' })
    expect(
      JSON.stringify([
        await world.data('habit.list', {}),
        await world.data('habit.today_plan', {}),
      ]),
    ).not.toContain('Budget')
    expect((await world.call('habit.status', { habit_name: 'Budget' })).error?.code).toBe(
      'TOOL_RESOURCE_NOT_FOUND',
    )
    expect(await world.data('habit.list', { status: 'archived' })).toMatchObject({
      habits: [{ name: 'Budget', status: 'archived' }],
    })
    expect((await world.call('habit.create', { name: 'Budget' })).status).toBe('success')
  })

  test('restores a deleted habit with its records and its streak', async () => {
    const world = await tenants.open(habitSeed)
    expect(await world.data('habit.delete', { habit_name: 'meditation' })).toMatchObject({
      records_kept: 3,
    })
    expect(
      (await world.call('habit.record_completion', { habit_name: 'meditation' })).error?.code,
    ).toBe('TOOL_RESOURCE_NOT_FOUND')
    await world.data('habit.update', { habit_name: 'meditation', status: 'active' })
    expect(await world.data('habit.record_completion', { habit_name: 'meditation' })).toMatchObject(
      { streak: { current: 4 } },
    )
  })

  test('does not restore a habit whose name is taken meanwhile', async () => {
    const world = await tenants.open(habitSeed)
    const { habit_info: info } = await world.data('habit.delete', { habit_name: 'Budget' })
    await world.data('habit.create', { name: 'Budget' })
    const { id } = info as { readonly id: string }
    const back = { habit_name: id, status: 'active' }
    expect((await world.call('habit.update', back)).error?.code).toBe(
      'TOOL_RESOURCE_ALREADY_EXISTS',
    )
    expect((await world.call('habit.update', { ...back, new_name: 'Old budget' })).status).toBe(
      'success',
    )
  })
})
