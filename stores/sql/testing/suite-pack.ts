import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Pack } from '@surehand/core'

/** The tables and transactions of the conformance suites as a pack's data. */
export function suitePack(schema: readonly string[]): Pick<Pack, 'name' | 'data'> {
  const module = createRequire(import.meta.url).resolve('@surehand/conformance/transactions')
  return {
    name: 'suite',
    data: {
      migrations: [{ name: '0001', statements: schema }],
      transactions: pathToFileURL(module).href,
    },
  }
}
