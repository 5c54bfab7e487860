import type { TourContext } from '../tour-context.ts'

/** Mistakes of models, and the errors they get. */
export async function showBadInput({ runtime, agent, screen }: TourContext): Promise<void> {
  screen.heading('Invalid input gets a clear error and uses no quota')
  const call = (json: string) =>
    runtime.call({ tool: 'shop.buy', input: undefined, json, caller: agent, surface: 'tour' })
  for (const json of [
    '{ "quantity": 2 }',
    '{ "productId": "tea", "quantity": "two" }',
    '{ "productId": "tea", "productId": "gold bar" }',
    '{ "productId": "tea", "__proto__": { "admin": true } }',
  ])
    screen.call(json, await call(json))
  screen.call(
    'a tool that does not exist: shop.bye',
    await runtime.call({ tool: 'shop.bye', input: {}, caller: agent, surface: 'tour' }),
  )
}
