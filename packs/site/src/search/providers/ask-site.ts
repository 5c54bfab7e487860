import type { Fetch } from '@surehand/vendors'
import { z } from 'zod'
import type { FoundPage } from '../search-port.ts'

const Answer = z.object({
  items: z.array(
    z.object({
      title: z.string(),
      snippet: z.string().default(''),
      url: z.string(),
      score: z.number().min(0).max(1).default(0.5),
      productId: z.string().optional(),
    }),
  ),
})

// The visitor waits: what the site does not answer in this time is missing from the results.
const LONGEST_MS = 250

/** Asks the site's own search; its absence is reported, not an error. */
export async function askSite(
  fetch: Fetch,
  {
    template,
    words,
    origins,
  }: { readonly template: string; readonly words: string; readonly origins: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly items: readonly FoundPage[]; readonly missing: readonly string[] }> {
  const missing = { items: [], missing: ["the site's own search"] }
  try {
    const url = template.replace('{query}', encodeURIComponent(words))
    const within = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: within })
    const answer = Answer.safeParse(await response.json())
    if (!response.ok || !answer.success) return missing
    // A result that leads elsewhere is no page of the site.
    const items = answer.data.items.filter(
      ({ url: page }) => URL.canParse(page) && origins.includes(new URL(page).origin),
    )
    return { items, missing: [] }
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return missing
  }
}
