import { memoryStores } from '@surehand/core'
import { expect, test } from 'vitest'
import type { Commerce } from '../commerce/commerce-port.ts'
import { memoryPorts } from '../fixtures/memory-ports.ts'
import { withSeenRevisions } from './seen-revisions.ts'

const shopper = { tenant: 'shop', session: 'ses_1', locale: undefined }
const { signal } = new AbortController()

function open() {
  const { values } = memoryStores()
  const { providers, effects } = memoryPorts()
  const held = Promise.withResolvers<void>()
  let isHeld = false
  const shop: Commerce = {
    ...providers.commerce,
    async updateLine(request, within) {
      const cart = await providers.commerce.updateLine(request, within)
      // The answer is on its way: nobody has seen the new revision.
      if (isHeld) await held.promise
      return cart
    },
  }
  const set = (quantity: number, idempotencyKey: string) =>
    withSeenRevisions(shop, values).updateLine(
      { shopper, cartLineId: 'line_1', quantity, idempotencyKey },
      signal,
    )
  const hold = () => {
    isHeld = true
  }
  return { effects, set, hold, release: held.resolve }
}

test('2 → 3 → 2 are three effects, under whatever keys they are asked for', async () => {
  const { effects, set } = open()
  for (const [index, quantity] of [2, 3, 2].entries()) await set(quantity, `call-${index}`)
  expect(effects).toEqual(['updateLine call-0', 'updateLine call-1', 'updateLine call-2'])
})

test('who asks again before the answer was seen changes nothing twice', async () => {
  const { effects, set, hold, release } = open()
  hold()
  const first = set(3, 'call-0')
  await expect.poll(() => effects).toEqual(['updateLine call-0'])
  const again = set(3, 'call-1')
  release()
  expect(await again).toEqual(await first)
  expect(effects).toEqual(['updateLine call-0'])
})

test('a call that is driven again after a crash keeps the key of its first attempt', async () => {
  const { effects, set, hold, release } = open()
  hold()
  const first = set(3, 'call-0')
  await expect.poll(() => effects).toHaveLength(1)
  const repeated = set(3, 'call-1')
  release()
  await Promise.all([first, repeated])
  await set(2, 'call-2')
  await set(3, 'call-1')
  expect(effects).toEqual(['updateLine call-0', 'updateLine call-2'])
})
