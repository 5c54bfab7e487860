import type { Heard, NodeProcess } from '../house/node-process.ts'
import type { Random } from '../random.ts'
import { callOf, inputOf } from './pursue.ts'
import type { Wish } from './wish.ts'

/** What people do about calls: call one off, change what is asked, settle what nobody knows, change the house's rules. */
export type Errand = 'cancel' | 'edit' | 'resolve' | 'pin'

const WITHIN_MS = 20_000

/** The wish as it is after somebody has edited it. */
export function edited(wish: Wish): Wish {
  return { ...wish, note: 'edited' }
}

/** Brings the call to where the errand is about it, and does it. `made`: what a look at the vendor's books shows. */
export async function doErrand(
  errand: Errand,
  { wish, made }: { readonly wish: Wish; readonly made: (item: string) => unknown },
  { node, random }: { readonly node: NodeProcess; readonly random: Random },
): Promise<Heard> {
  const { who } = wish
  if (errand === 'pin') return node.ask({ ask: 'pin', who, name: wish.item }, WITHIN_MS)
  const heard = await node.ask(callOf(wish, random), WITHIN_MS)
  switch (errand) {
    case 'cancel':
      return heard.status === 'pending' || heard.status === 'asking'
        ? node.ask({ ask: 'cancel', who, callId: heard.callId }, WITHIN_MS)
        : heard
    case 'edit':
      return heard.status === 'pending'
        ? node.ask(
            { ask: 'edit', who, approvalId: heard.approvalId, input: inputOf(edited(wish)) },
            WITHIN_MS,
          )
        : heard
    case 'resolve':
      return heard.status === 'failed'
        ? node.ask(
            {
              ask: 'resolve',
              who,
              callId: heard.callId,
              evidence: { text: 'seen', found: 'done', output: made(wish.item) },
            },
            WITHIN_MS,
          )
        : heard
  }
}
