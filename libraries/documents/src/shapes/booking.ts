import { z } from 'zod'
import { identifier } from './identifier.ts'

export const ResourceId = identifier({
  title: 'resource id',
  description: 'Identifies something that can be booked: a table, a room, a person, a course.',
  examples: ['table-12'],
})

export const SlotId = identifier({
  title: 'slot id',
  description: 'Identifies one bookable slot, as a search for slots returned it.',
  examples: ['slot_2025-08-24T10:00'],
})

export const PartySize = z
  .int()
  .min(1)
  .max(50)
  .meta({
    title: 'party size',
    description: 'How many people the booking is for, 1 to 50.',
    examples: [2],
  })
