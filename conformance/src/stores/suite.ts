import { afterEach, beforeEach, describe, test } from 'vitest'
import type { OpenedStores, OpenStores } from './opened.ts'
import { SUITE_SCHEMA } from './suite-transactions.ts'

export type StoreTest = (opened: OpenedStores) => Promise<void>

/** Promises of a store port by their sentences; each is tried on stores of its own. */
export type Promises = Readonly<Record<string, StoreTest>>

/** Registers the promises of a port as tests of one store. */
export function registerSuite(
  port: string,
  name: string,
  open: OpenStores,
  promises: Promises,
): void {
  describe(`${port}, ${name}`, () => {
    let opened: OpenedStores
    beforeEach(async () => {
      opened = await open({ schema: SUITE_SCHEMA })
    })
    afterEach(() => opened.close())
    for (const [sentence, run] of Object.entries(promises)) test(sentence, () => run(opened))
  })
}
