import { buy } from '../shop.ts'
import type { TourContext } from '../tour-context.ts'

/** Replays, refused calls and approved calls use no quota. */
export async function showLimits({ runtime, agent, screen }: TourContext): Promise<void> {
  screen.heading('Three purchases per minute, in any window of a minute')
  for (const productId of ['pot', 'spoon']) {
    const outcome = await runtime.call({
      tool: buy,
      input: { productId, idempotencyKey: `order-${productId}` },
      caller: agent,
    })
    screen.call(`shop.buy ${productId}`, outcome)
  }
}
