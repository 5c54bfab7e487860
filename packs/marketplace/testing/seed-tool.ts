import {
  definePack,
  defineTool,
  defineTransaction,
  type Execution,
  type Tx,
  transact,
} from '@surehand/core'
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

// PostgreSQL takes at most 65,535 values in a statement.
const ROWS_A_STATEMENT = 500

async function insertAlike(tx: Tx, tenant: string, rows: Seed['rows']): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = ['tenant', ...Object.keys(first.row)]
  const places = `(${columns.map(() => '?').join(', ')})`
  await tx.run(
    `insert into ${first.table} (${columns.join(', ')}) values ${rows.map(() => places).join(', ')}`,
    ...rows.flatMap(({ row }) => [tenant, ...(Object.values(row) as SqlValue[])]),
  )
}

const insertRows = defineTransaction('testing.seed_market', async (tx, { tenant, rows }: Seed) => {
  // One statement for all rows of a form: every test begins with dozens of them.
  const forms = Map.groupBy(rows, ({ table, row }) => `${table} ${Object.keys(row).join(', ')}`)
  for (const alike of forms.values())
    for (let first = 0; first < alike.length; first += ROWS_A_STATEMENT)
      await insertAlike(tx, tenant, alike.slice(first, first + ROWS_A_STATEMENT))
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
