import { definePack, defineTool, defineTransaction, type Execution, transact } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { z } from 'zod'

const Input = z.object({
  rows: z.array(
    z.object({
      table: z.string().regex(/^mk_[a-z_]+$/),
      row: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
})
type Seed = { readonly tenant: string; readonly rows: z.output<typeof Input>['rows'] }

const insertRows = defineTransaction('testing.seed_market', async (tx, { tenant, rows }: Seed) => {
  for (const { table, row } of rows) {
    const columns = ['tenant', ...Object.keys(row)]
    await tx.run(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      tenant,
      ...(Object.values(row) as SqlValue[]),
    )
  }
  return { inserted: rows.length }
})

/** Writes rows as they are: for states that a test begins with. */
export const seedMarket = defineTool({
  id: 'testing.seed_market',
  description: 'Writes the rows that a test begins with.',
  input: Input,
  output: z.object({ inserted: z.int() }),
  contract: {
    effect: 'writes.test',
    reversible: true,
    idempotency: 'caller',
    maxInputBytes: 64_000_000,
  },
  examples: [],
  transaction: transact(
    insertRows,
    ({ input, caller }: Pick<Execution<z.output<typeof Input>, never>, 'input' | 'caller'>) => ({
      tenant: caller.tenant,
      rows: input.rows,
    }),
  ),
})

export const seedPack = definePack({
  name: 'market-seed',
  tools: [seedMarket],
  data: { migrations: [], transactions: import.meta.url },
})
