import { isRecord } from '../call/canonical.ts'

/**
 * How a question that proposes an answer is shown to people: a summary to agree to, with single
 * fields to change, instead of a form of all fields. It stands in the answer's JSON Schema as
 * `x-review`; paths are joined by dots.
 */
export type ReviewForm = {
  /** The field whose values are the buttons; the proposed value is the emphasized one. */
  readonly choice: string
  /** The fields of the summary with their labels, in this order; the others are folded away. */
  readonly fields: Readonly<Record<string, string>>
  /** A picture among the artifacts of the server. */
  readonly picture?: string
  /** A `{ lat, lng }`, shown as a line that leads to a map. */
  readonly map?: string
}

export const REVIEW_KEYWORD = 'x-review'

/** The review form of an answer's schema; undefined where the schema has none. */
export function readReviewForm(schema: unknown): ReviewForm | undefined {
  const form = isRecord(schema) ? schema[REVIEW_KEYWORD] : undefined
  if (!isRecord(form) || typeof form.choice !== 'string' || !isRecord(form.fields)) return undefined
  if (!Object.values(form.fields).every((label) => typeof label === 'string')) return undefined
  return {
    choice: form.choice,
    fields: form.fields as Readonly<Record<string, string>>,
    ...(typeof form.picture === 'string' ? { picture: form.picture } : {}),
    ...(typeof form.map === 'string' ? { map: form.map } : {}),
  }
}

/** The value at a path of a proposed answer. */
export function valueAtPath(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, step) => (isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined),
      value,
    )
}

/** Where people see a point on a map; undefined for what is not a point. */
export function mapLink(point: unknown): string | undefined {
  if (!isRecord(point)) return undefined
  const { lat, lng } = point
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=16/${lat}/${lng}`
}

// A date with its weekday: people recognise a wrong day by it. Other texts stay as they are.
const DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/

/** A value as a person reads it in a summary. */
export function reviewText(value: unknown): string {
  if (Array.isArray(value)) return value.map(reviewText).join('; ')
  if (typeof value !== 'string') return value === undefined ? '' : JSON.stringify(value)
  const [, day, time] = DATE.exec(value) ?? []
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return value
  // Written out here: the punctuation of Intl differs between versions of Node.
  const date = `${DAYS[at.getUTCDay()]} ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`
  return time === undefined ? date : `${date}, ${time}`
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
