import { defineTransaction } from '../../../core/src/index.ts'
import { addToCart, type CartInput } from '../core/tool.ts'

export type LineArgs = { readonly lineId: string; readonly input: CartInput }

/** The local effect: one insert into the pack's table. The writer thread of SQLite loads this file and finds the transaction by its name. */
export const addLine = defineTransaction(
  'bench.addLine',
  async (tx, { lineId, input }: LineArgs) => {
    const line = await addToCart(input)
    await tx.run(
      'insert into bench_lines (line_id, cart_id, product_id, quantity, total_cents) values (?, ?, ?, ?, ?)',
      lineId,
      line.cartId,
      input.productId,
      line.quantity,
      line.totalCents,
    )
    return { ...line, lineId }
  },
)
