// table
import type { WallTime } from '@surehand/dates'

export type Resource = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly durationMinutes: number
  /** Minor units. */
  readonly price: number
  readonly capacity: number
  /** By the day of the week, 1 is Monday: when slots begin. */
  readonly begins: Readonly<Record<number, readonly WallTime[]>>
}

const MORNING = ['10:00', '11:00'] as const
const AFTERNOON = ['13:00', '14:00', '15:00', '16:00', '17:00'] as const

export const RESOURCES: readonly Resource[] = [
  {
    id: 'fitting',
    name: 'Fitting with Iris',
    description: 'Measuring, pinning, deciding. Bring the shoes you will wear.',
    durationMinutes: 45,
    price: 2500,
    capacity: 2,
    begins: { 2: [...MORNING, ...AFTERNOON], 4: [...MORNING, ...AFTERNOON], 5: AFTERNOON },
  },
  {
    id: 'alteration',
    name: 'Alterations with Tomasz',
    description: 'Hems, sleeves, zips, and the tear that you hope can be saved.',
    durationMinutes: 30,
    price: 0,
    capacity: 1,
    begins: { 3: [...MORNING, ...AFTERNOON], 6: MORNING },
  },
  {
    id: 'wedding-flowers',
    name: 'Wedding Flower Consultation',
    description: 'An hour with Rosa, a notebook and a table full of samples.',
    durationMinutes: 60,
    price: 4000,
    capacity: 4,
    begins: { 3: ['14:00', '16:00'], 6: ['10:00', '12:00', '14:00'] },
  },
  {
    id: 'bouquet-workshop',
    name: 'Private Bouquet Workshop',
    description: 'Two hours, your friends, our flowers. Everybody takes a bouquet home.',
    durationMinutes: 120,
    price: 18000,
    capacity: 6,
    begins: { 4: ['18:00'], 6: ['15:00'] },
  },
]
