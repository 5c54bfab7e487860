import { buy } from '../shop.ts'
import type { Stage } from '../stage.ts'

/** Quota is for what is really asked: replays, refusals and approved calls take none. */
export async function limits({ runtime, agent, screen }: Stage): Promise<void> {
  screen.heading('Three purchases a minute, and no sliding window ever holds a fourth')
  for (const productId of ['pot', 'spoon']) {
    const outcome = await runtime.call({
      tool: buy,
      input: { productId, idempotencyKey: `order-${productId}` },
      caller: agent,
    })
    screen.call(`shop.buy ${productId}`, outcome)
  }
}
