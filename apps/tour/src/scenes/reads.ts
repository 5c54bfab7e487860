import { price } from '../shop.ts'
import type { TourContext } from '../tour-context.ts'

/** Cache, hard timeouts and labelled fallbacks. */
export async function showReads({ runtime, service, agent, screen }: TourContext): Promise<void> {
  screen.heading(
    'A read is validated, cached, stopped at its timeout, and its fallback is labelled',
  )
  screen.call(
    'shop.price { productId: "tea" }',
    await runtime.call({ tool: price, input: { productId: 'tea' }, caller: agent }),
  )
  screen.call(
    'the same call again, answered by the cache',
    await runtime.call({ tool: price, input: { productId: 'tea' }, caller: agent }),
  )
  service.setBehaviour('hang')
  const before = performance.now()
  screen.call(
    'the service hangs and ignores its signal',
    await runtime.call({ tool: price, input: { productId: 'coffee' }, caller: agent }),
  )
  screen.say(
    `answered after ${Math.round(performance.now() - before)} ms, with the fallback, marked as degraded and never cached`,
  )
  service.setBehaviour('normal')
}
