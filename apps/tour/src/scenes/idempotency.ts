import { buy } from '../shop.ts'
import type { Stage } from '../stage.ts'

/** Exactly once per key. */
export async function nothingTwice({ runtime, service, ann, agent, screen }: Stage): Promise<void> {
  screen.heading('Nothing is done twice')
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
  service.misbehave('reset after commit')
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
    `driven again with the same provider key. Charges at the service: ${service.charges()}, for two orders`,
  )
}
