import type { Aside } from './asides.ts'
import type { RepeatSpan } from './find-repeats.ts'
import type { TimeSpan } from './find-times.ts'
import type { DateSpan, Reading, Span } from './reading.ts'

/** A date, or something that comes again, with the times that belong to it. */
export type Anchor = Span & {
  readonly date?: DateSpan
  readonly repeat?: RepeatSpan
  /** Where a series begins and ends, if it is said. */
  readonly from?: DateSpan
  readonly until?: DateSpan
  /** Days on which a series does not take place. */
  readonly except?: readonly DateSpan[]
  readonly aside?: Aside
  readonly times: readonly TimeSpan[]
}

// a line further away counts as so many characters
const LINE = 40
const FARTHEST = 240

/** Gives every time to the date that it stands nearest to. */
export function attach(
  anchors: readonly Anchor[],
  times: readonly TimeSpan[],
  reading: Reading,
): readonly Anchor[] {
  const given = new Map<Anchor, TimeSpan[]>(anchors.map((anchor) => [anchor, []]))
  const own = anchors.filter((anchor) => anchor.aside === undefined)
  for (const time of times) {
    const nearest = anchors
      .map((anchor) => ({ anchor, distance: distance(anchor, time, reading) }))
      .sort((one, other) => one.distance - other.distance)[0]
    // of a text about one date every time is its own, wherever it stands
    const only = own.length === 1 ? own[0] : undefined
    const taker =
      nearest !== undefined && nearest.distance <= FARTHEST && nearest.anchor.aside === undefined
        ? nearest.anchor
        : only
    const aside = nearest?.anchor.aside
    const chosen =
      nearest !== undefined && aside !== undefined && isIn(time, aside) ? nearest.anchor : taker
    if (chosen !== undefined) given.get(chosen)?.push(time)
  }
  return anchors.map((anchor) => ({ ...anchor, times: given.get(anchor) ?? [] }))
}

function distance(anchor: Anchor, time: Span, reading: Reading): number {
  return Math.min(
    ...[anchor, ...(anchor.date?.names ?? [])].map((span) => gapTo(span, time, reading)),
  )
}

function gapTo(anchor: Span, time: Span, { folded }: Reading): number {
  const isBefore = time.end <= anchor.start
  const [from, to] = isBefore ? [time.end, anchor.start] : [anchor.end, time.start]
  const gap = folded.slice(from, Math.max(from, to))
  const lines = gap.split('\n').length - 1
  // a time mostly stands behind its date
  return gap.length + lines * LINE + (isBefore ? 12 : 0)
}

/**
 * Which of these stand in an aside. Of all but opening hours it is the first alone: "sign up by 1
 * May, concert on 12 May".
 */
export function withAsides(
  anchors: readonly Anchor[],
  asides: readonly Aside[],
): readonly Anchor[] {
  const first = new Map(
    asides.map((aside) => [aside, anchors.find((anchor) => isIn(anchor, aside))]),
  )
  return anchors.map((anchor) => {
    // "open since May, every Friday …"
    const kinds = anchor.repeat === undefined ? asides : asides.filter(({ kind }) => isWhole(kind))
    const aside = kinds.find((one) =>
      isWhole(one.kind) ? isIn(anchor, one) : first.get(one) === anchor,
    )
    return aside === undefined ? anchor : { ...anchor, aside }
  })
}

function isWhole(kind: Aside['kind']): boolean {
  return kind === 'hours' || kind === 'exception'
}

export function isIn(span: Span, aside: Aside): boolean {
  return span.start >= aside.start && span.start < aside.end
}

/**
 * What is said of the times themselves: doors, start, end; by the word before each, or else by the
 * one behind.
 */
export function withRoles(
  times: readonly TimeSpan[],
  { folded, words }: Reading,
): readonly TimeSpan[] {
  const cue = (role: string) => ({
    before: new RegExp(
      String.raw`(?<!\p{L})(?:${role})(?!\p{L})[^\p{L}\p{N}\n]{0,6}(?:\n\s*)?(?:(?:${words.hourLead})\s*)?$`,
      'u',
    ),
    // "7:30, starts 8": a word behind a comma belongs to the next time
    // "7.30pm (doors 7pm)": nor does one before the next time
    after: new RegExp(
      String.raw`^[^\S\n]?[(:-]?[^\S\n]?(?:${role})(?!\p{L})(?![^,.;/|\n)]{0,16}\d)`,
      'u',
    ),
  })
  const roles = [
    ['doors', cue(words.doors)],
    ['start', cue(words.start)],
    ['end', cue(words.end)],
  ] as const
  const findCue = (side: 'before' | 'after', time: TimeSpan) => {
    const text =
      side === 'before'
        ? folded.slice(Math.max(0, time.at - 40), time.at)
        : folded.slice(time.end, time.end + 30)
    // "7pm until" is no end
    return roles.find(
      ([role, cues]) => cues[side].test(text) && (side === 'before' || role !== 'end'),
    )?.[0]
  }
  const isBehind =
    times[0] !== undefined &&
    findCue('before', times[0]) === undefined &&
    findCue('after', times[0]) !== undefined
  const isTravel = /→|->|➔/u.test(folded)
  return times.map((time, index) => {
    const isCued = times.some((one) => findCue(isBehind ? 'after' : 'before', one) !== undefined)
    const role =
      findCue(isBehind ? 'after' : 'before', time) ??
      (isCued && !isTravel ? undefined : legOf(times, index, folded))
    return role === undefined ? time : { ...time, role }
  })
}

/** "Paris 07:58 → Grenoble 11:00": a departure and an arrival. */
function legOf(
  times: readonly TimeSpan[],
  index: number,
  folded: string,
): TimeSpan['role'] | undefined {
  const isLeg = (one: TimeSpan | undefined, other: TimeSpan | undefined): boolean =>
    one !== undefined &&
    other !== undefined &&
    // between them an arrow, or the line of the next station
    /^(?:[^\S\n]+(?:→|->|➔|>|-)[^\S\n]+|[^\S\n]*\n)\p{L}[^\n\d,;:.]{2,40}[^\S\n]$/u.test(
      folded.slice(one.end, other.start),
    )
  if (isLeg(times[index], times[index + 1])) return 'start'
  return isLeg(times[index - 1], times[index]) ? 'end' : undefined
}
