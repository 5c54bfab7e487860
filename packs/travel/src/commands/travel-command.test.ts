import { expect, test } from 'vitest'
import { openTravelWorld } from '../../testing/travel-world.ts'
import { travelCommand } from './travel-command.ts'

async function run(...args: readonly string[]) {
  const world = openTravelWorld()
  let out = ''
  const tables: unknown[] = []
  const exit = await travelCommand.run({
    args,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (out += text) },
    printTable: (_, rows) => void tables.push(...rows),
    printFailure: ({ error }) => (error?.code === undefined ? 1 : 3),
    call: (tool, input) => world.call(tool, input),
  })
  return { exit, out, tables }
}

test.each([
  [[]],
  [['nothing']],
  [['constructor']],
  [['show']],
  [['show', 'a', 'b']],
  [['plans', '--unknown']],
  [['share', 'plan_1', '--days']],
])('%j is answered with the usage', async (args) => {
  const { exit, out } = await run(...args)
  expect([exit, out.startsWith('Usage:\nsurehand travel wish')]).toEqual([2, true])
})

test('a memory is remembered from words without quotes', async () => {
  expect(await run('remember', 'Likes', 'blue', 'tiles')).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/^Remembered as mem_/),
  })
})

test('what is pending or unknown is a failure of the command, not a success', async () => {
  expect((await run('share', 'plan_1')).exit).toBe(3)
  expect((await run('show', 'plan_9')).exit).toBe(3)
  expect((await run('wish', 'A', 'week', 'in', 'Lisbon', 'in', 'May')).exit).not.toBe(0)
})

test('--json prints the whole answer', async () => {
  const { exit, out } = await run('plans', '--json')
  expect([exit, (JSON.parse(out) as { data: unknown }).data]).toEqual([0, { plans: [], total: 0 }])
})
