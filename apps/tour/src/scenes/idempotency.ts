import { buy } from '../shop.ts'
import type { TourContext } from '../tour-context.ts'

/** One idempotency key, one effect. */
export async function showIdempotency({
  runtime,
  service,
  ann,
  agent,
  screen,
}: TourContext): Promise<void> {
  screen.heading('A call with the same idempotency key is made once')
  const input = {
    productId: 'tea',
    quantity: 2,
    cardToken: 'tok_visa_4242424242424242',
    idempotencyKey: 'order-1',
  }
  screen.call(
    'the same key, the same input',
    await runtime.call({ tool: buy, input, caller: agent }),
  )
  screen.call(
    'the same key, another input',
    await runtime.call({ tool: buy, input: { ...input, quantity: 200 }, caller: agent }),
  )
  service.setBehaviour('reset after commit')
  const cup = { productId: 'cup', quantity: 1, idempotencyKey: 'order-2' }
  const asked = await runtime.call({ tool: buy, input: cup, caller: agent })
  if (asked.status === 'pending')
    await runtime.approvals.decide(ann, asked.approval.id, {
      verdict: 'approve',
      digest: asked.approval.digest,
    })
  screen.call(
    'a new order; the connection breaks after the service has charged',
    await runtime.call({ tool: buy, input: cup, caller: agent }),
  )
  screen.say(
    `retried with the same key for the provider. Charges at the service: ${service.charges()}, for two orders`,
  )
}
