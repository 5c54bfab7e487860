import { ToolError } from '@surehand/core'
import { expect, test } from 'vitest'
import { createDataLoader } from './data-loader.ts'

function world() {
  const time = { now: 0 }
  const stop = new AbortController()
  return { time, stop, gather: createDataLoader({ now: () => time.now, signal: stop.signal }) }
}

test('optional data that fails is listed with its code and replaced', async () => {
  const { gather } = world()
  const failing = async (): Promise<number> => {
    throw new ToolError('TOOL_STORAGE_ERROR', 'The disk is gone.')
  }
  expect(await gather.optional('the past', failing, 7)).toBe(7)
  expect(gather.missing).toEqual(['the past: could not be read (TOOL_STORAGE_ERROR)'])
})

test('optional data is not loaded when time is short', async () => {
  const { gather, time } = world()
  time.now = 3_001
  let begun = 0
  expect(await gather.optional('the past', async () => ++begun, 0)).toBe(0)
  expect([begun, gather.missing]).toEqual([
    0,
    ['the past: not read, because there was no time left'],
  ])
})

test('required data that comes too late is EXPLAIN_TIMEOUT', async () => {
  const { gather, time } = world()
  await gather.required(async () => (time.now = 6_001))
  await expect(gather.required(async () => 1)).rejects.toMatchObject({
    code: 'TOOL_EXECUTION_TIMEOUT',
    details: { source_code: 'EXPLAIN_TIMEOUT', waited_ms: 6_001 },
  })
})

test('a cancelled load is not listed as missing', async () => {
  const { gather, stop } = world()
  const loadAfterCancel = async (): Promise<number> => {
    stop.abort()
    throw new ToolError('TOOL_CANCELLED', 'Nobody waits.')
  }
  await expect(gather.optional('the past', loadAfterCancel, 0)).rejects.toMatchObject({
    code: 'TOOL_CANCELLED',
  })
})
