import { price } from '../shop.ts'
import type { Stage } from '../stage.ts'

/** Cache, hard time-outs and honest fallbacks. */
export async function reads({ runtime, service, agent, screen }: Stage): Promise<void> {
  screen.heading('A read is validated, cached, cut off in time, and honest about failure')
  screen.call(
    'shop.price { productId: "tea" }',
    await runtime.call({ tool: price, input: { productId: 'tea' }, caller: agent }),
  )
  screen.call(
    'the same again: the cache knows',
    await runtime.call({ tool: price, input: { productId: 'tea' }, caller: agent }),
  )
  service.misbehave('hang')
  const before = performance.now()
  screen.call(
    'the service hangs and ignores its signal',
    await runtime.call({ tool: price, input: { productId: 'coffee' }, caller: agent }),
  )
  screen.say(
    `answered after ${Math.round(performance.now() - before)} ms, with a stand-in that says it is one: degraded, and never cached`,
  )
  service.misbehave('behave')
}
