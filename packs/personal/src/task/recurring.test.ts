import { afterAll, expect, test } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'

const tenants = openTenants()
afterAll(tenants.close)

// Thursday, 15 January 2026.
async function capture(text: string) {
  const world = await tenants.open()
  await world.data('task.capture', { text })
  return world
}

test('a task that repeats comes again when it is completed, and not for days that have passed', async () => {
  const world = await capture('Water the plants every Monday 9:00')
  const done = await world.data('task.complete', { task: 'Water the plants' })
  expect(done).toMatchObject({
    task: { state: 'completed' },
    next: {
      title: 'Water the plants',
      state: 'inbox',
      repeats: 'FREQ=WEEKLY;BYDAY=MO',
      due: { day: '2026-01-26', time: '09:00' },
    },
    message: '"Water the plants" is completed. It comes again on 2026-01-26 at 09:00.',
  })
  await world.clock.advance(20 * 86_400_000)
  expect(await world.data('task.complete', { task: 'Water the plants' })).toMatchObject({
    next: { due: { day: '2026-02-09' } },
  })
})

test('the hour stays when the clocks change', async () => {
  const world = await tenants.open([], { now: Date.parse('2026-03-27T08:00:00Z') })
  await world.data('task.capture', { text: 'Take the pills daily 9:00' })
  await world.clock.advance(86_400_000)
  const { next } = await world.data('task.complete', { task: 'pills' })
  const again = await world.data('task.complete', { task: 'pills' })
  expect([next, again.next]).toMatchObject([{ due: { time: '09:00' } }, { due: { time: '09:00' } }])
})

test('a task that is done once does not come again', async () => {
  const world = await capture('Call Bob tomorrow')
  expect(await world.data('task.complete', { task: 'Call Bob' })).not.toHaveProperty('next')
})

test('a session on the title of a task is a session on that task', async () => {
  const world = await capture('Prepare slides')
  const { session } = await world.data('time.deep_work_start', { subject: 'prepare slides' })
  const title = await world.data('task.list', {})
  expect([session, (title.tasks as readonly unknown[]).length]).toMatchObject([
    { subject: 'prepare slides' },
    1,
  ])
  const [row] = await world.query(
    'select task_id from pm_deep_work where tenant = ?',
    world.caller.tenant,
  )
  expect(String(row?.task_id)).toMatch(/^tsk_/)
})

test('an overdue task that is done on its weekday comes again in a week, not as overdue at once', async () => {
  const world = await tenants.open([], { now: Date.parse('2026-01-12T06:00:00Z') })
  await world.data('task.capture', { text: 'Water the plants every Monday 9:00' })
  await world.clock.advance(7 * 86_400_000 + 12 * 3_600_000)
  expect(await world.data('task.complete', { task: 'plants' })).toMatchObject({
    next: { due: { day: '2026-01-26', time: '09:00' } },
  })
})
