import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPersonalWorld, type PersonalWorld } from '../../../testing/personal-world.ts'

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
})
afterAll(() => world.close())

test('no page of Markdown repeats a file of an earlier page', async () => {
  for (let count = 0; count < 7; count++)
    await world.data('task.capture', { text: `thing ${count}` })
  const paths: string[] = []
  const lines: string[] = []
  for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await world.data('data.export', {
      format: 'markdown',
      limit: 3,
      ...(cursor === undefined ? {} : { cursor }),
    })
    const files = page.files as Record<string, string>
    paths.push(...Object.keys(files))
    lines.push(...Object.values(files).flatMap((text) => text.match(/thing \d/g) ?? []))
    cursor = page.next_cursor
  }
  expect(paths).toEqual(['tasks.md', 'tasks-2.md', 'tasks-3.md'])
  expect(lines).toHaveLength(7)
})

test.each([
  ['tasks', 'x'],
  [1, 'tasks', 'x'],
  [2, 'tasks', 'a\u0000'],
  [2, 'tasks', 'a\ud800'],
  [2, 'system', 'x'],
  [2.5, 'tasks', 'x'],
])('a made-up cursor is refused: %j', async (...parts) => {
  const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
  expect((await world.call('data.export', { cursor })).error?.code).toBe('TOOL_INVALID_FIELD_VALUE')
})
