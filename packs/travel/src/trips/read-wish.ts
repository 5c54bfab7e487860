import { type Caller, defineTool } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { travelRead } from '../read-contract.ts'
import { contextOf } from '../travel-context.ts'
import { readWishByRules } from './read-wish-by-rules.ts'
import { tripModelPort } from './trip-model-port.ts'
import { TripWish } from './trip-wish.ts'

export const MAX_WISH_CHARACTERS = 2_000

export const readWish = defineTool({
  id: 'travel.readWish',
  title: 'Understand a wish',
  category: 'travel',
  description:
    'Reads where to, when, for how many and for how much from the words of a traveller. Null means that the words do not say it.',
  aliases: ['readWish'],
  input: z.object({ text: z.string().trim().min(3).max(MAX_WISH_CHARACTERS) }),
  output: TripWish.extend({ reader: z.enum(['model', 'rules']) }),
  contract: {
    ...travelRead,
    timeout: '10s',
    fallback: ({ input, caller, now }) => readByRules(input.text, caller, now()),
  },
  ports: { model: tripModelPort },
  examples: [
    {
      name: 'a week',
      input: { text: 'A week in Lisbon in May for two, under 2000 EUR, from Berlin' },
    },
    { name: 'with dates', input: { text: 'Porto from 3 to 6 June 2027, museums and food' } },
  ],
  execute: async ({ input: { text }, caller, ports, now, signal }) => {
    const timeZone = caller.timeZone ?? 'UTC'
    const read = await ports.model.read(
      { ...contextOf(caller), text, today: dayOf(now(), timeZone), timeZone },
      signal,
    )
    return read === null ? readByRules(text, caller, now()) : { ...read, reader: 'model' as const }
  },
})

function readByRules(text: string, caller: Caller, nowMs: number) {
  const timeZone = caller.timeZone ?? 'UTC'
  return { ...readWishByRules(text, { nowMs, timeZone }), reader: 'rules' as const }
}
