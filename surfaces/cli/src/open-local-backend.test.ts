import { expect, test } from 'vitest'
import { run } from './fixtures/run.ts'
import { createTestApp } from './fixtures/test-app.ts'
import type { LocalApp } from './options.ts'

/** Tells what was opened for which tool, and what was closed. */
function watchApp(): {
  readonly openLocal: (at: object, tool?: string) => Promise<LocalApp>
  readonly seen: string[]
} {
  const { local } = createTestApp()
  const seen: string[] = []
  const openLocal = async (_at: object, tool = 'all'): Promise<LocalApp> => {
    seen.push(`open ${tool}`)
    return { ...local, close: async () => void seen.push(`close ${tool}`) }
  }
  return { openLocal, seen }
}

test('a call opens the app for its tool alone', async () => {
  const { openLocal, seen } = watchApp()
  expect(
    (await run(['call', 'shop.search', '--query', 'lamps', '--sort', 'price'], { openLocal })).code,
  ).toBe(0)
  expect(seen).toEqual(['open shop.search', 'close shop.search'])
})

test('a waiting call may run any job, so the complete app is opened', async () => {
  const { openLocal, seen } = watchApp()
  expect(
    (
      await run(['call', 'shop.search', '--query', 'lamps', '--sort', 'price', '--wait', '1s'], {
        openLocal,
      })
    ).code,
  ).toBe(0)
  expect(seen.toSorted()).toEqual([
    'close all',
    'close shop.search',
    'open all',
    'open shop.search',
  ])
})

test('an unknown name is looked for among all tools', async () => {
  const { openLocal, seen } = watchApp()
  const { code, err } = await run(['call', 'shop.serch', '--query', 'lamps', '--sort', 'price'], {
    openLocal,
  })
  expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining('shop.search') })
  expect(seen.filter((one) => one.startsWith('open'))).toEqual(['open shop.serch', 'open all'])
})

test('other commands open the whole app, once', async () => {
  const { openLocal, seen } = watchApp()
  await run(['tools'], { openLocal })
  expect(seen).toEqual(['open all', 'close all'])
})
