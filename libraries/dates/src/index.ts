export {
  addDays,
  addMonths,
  atTime,
  type Day,
  dayOf,
  dayOfWeek,
  daysBetween,
  daysInMonth,
  instantText,
  isDay,
  isTimeZone,
  offsetText,
  startOfDay,
  timeOf,
  type WallTime,
  weekOf,
} from './civil.ts'
export { fold } from './fold.ts'
export { readWhen } from './read-when.ts'
export type { Language, ReadWhenOptions, When } from './when.ts'
export { type Occurrence, occurrences, type Recurring } from './when.ts'
