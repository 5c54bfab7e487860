import type { Stage } from '../stage.ts'

/** What a model gets wrong, and what it is told. */
export async function badInput({ runtime, agent, screen }: Stage): Promise<void> {
  screen.heading('Bad input gets a clear answer, and costs no quota')
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
