import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import {
  judgeCheckouts,
  openShop,
  readNodeRecords,
  spawnCheckoutNode,
} from './run-checkout-chaos.ts'

/**
 * The checkout chaos with kills at the two worst moments: a process that dies before its order was
 * sent, and after the shop has accepted it. The next process makes one order of each.
 */
export function checkoutGate(databaseIn: (folder: string) => Promise<string>): void {
  test('a process that is killed before and after the shop was asked leaves one order each', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'surehand-order-'))
    const shop = await openShop(folder)
    const database = await databaseIn(folder)
    const options = { folder, database, shop: shop.url, visitors: 2, nodes: 1 }
    onTestFinished(async () => {
      await shop.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const killed = spawnCheckoutNode(0, { ...options, hang: true })
    onTestFinished(() => void killed.kill('SIGKILL'))
    while (readNodeRecords(options).filter(({ kind }) => kind === 'hanging').length < 2) {
      expect(killed.exitCode).toBe(null)
      await pause(50)
    }
    const ended = new Promise((resolve) => killed.once('exit', resolve))
    killed.kill('SIGKILL')
    await ended
    expect(judgeCheckouts(options).figures['orders at the shop']).toBe(1)
    const next = spawnCheckoutNode(0, options)
    expect(await new Promise((resolve) => next.once('exit', resolve))).toBe(0)
    const { figures, flaws } = judgeCheckouts(options)
    expect(figures).toMatchObject({ 'orders at the shop': 2, 'visitors without an answer': 0 })
    expect(Object.values(flaws).flat()).toEqual([])
  })
}
