import { afterEach, expect, test } from 'vitest'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, openShop } from './fixtures/shop.ts'

let served: Served | undefined
afterEach(() => served?.close())

test.each<Era>(['2026', '2025'])(
  'a subscribed client of %s is notified that the tools have changed',
  async (era) => {
    served = await serve(openShop().runtime, { ann })
    const heard: (readonly string[])[] = []
    const onChanged = (
      _: Error | null,
      tools: readonly { readonly name: string }[] | null,
    ): void => {
      heard.push((tools ?? []).map(({ name }) => name))
    }
    await served.connect(era, 'ann', {
      listChanged: { tools: { autoRefresh: true, debounceMs: 0, onChanged } },
    })
    const { handler } = served
    // a 2025 client opens its stream for news a moment after it has connected
    await expect
      .poll(() => {
        handler.toolsChanged()
        return heard.length
      })
      .toBeGreaterThan(0)
    expect(heard[0]).toContain('shop__price')
  },
)
