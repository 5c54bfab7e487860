import type { ViewBlock, ViewContext } from '@surehand/core/host'
import { z } from 'zod'
import { CanonicalEvent } from '../extract/canonical-event.ts'

const Draft = z.object({ event: CanonicalEvent })

/** The events that wait for the person's review: each with its conflicts and its poster. */
export async function show({ questions }: ViewContext): Promise<readonly ViewBlock[]> {
  const waiting = await questions()
  if (waiting.length === 0)
    return [{ kind: 'text', text: 'No event waits for a review. Captured events appear here.' }]
  return waiting.flatMap(({ id, asks, draft }) => reviewBlocks(id, asks, draft))
}

function reviewBlocks(id: string, asks: string, draft: unknown): readonly ViewBlock[] {
  const [first = asks, ...notes] = asks.split('\n')
  const table: ViewBlock = {
    kind: 'table',
    title: first,
    columns: ['', ''],
    rows: [[notes.join(' '), { text: 'Review it', question: id }]],
    empty: '',
  }
  const parsed = Draft.safeParse(draft)
  if (!parsed.success) return [table]
  const { title, sourceMetadata } = parsed.data.event
  const picture = sourceMetadata?.imageUrl
  return [
    table,
    ...(picture === undefined
      ? []
      : [{ kind: 'image', source: picture, description: `Poster of ${title}` } as const]),
  ]
}
