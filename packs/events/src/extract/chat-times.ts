import { readWhen, type WallTime, type When } from '@surehand/dates'
import type { PickedWhen } from './pick-when.ts'
import type { SourceText } from './source-text.ts'

// "I'll be there 9:30", "yo llego 9:30": when one of them comes
const OWN_ARRIVAL =
  /(?<!\p{L})(?:i'll|i\s+will|i\s+can|i'm|llego|llegare|j'arrive|je\s+serai|ich\s+komm|bin\s+(?:ab|erst)|until|bis|hasta|jusqu|food|dinner\s+after|fireworks|last\s+(?:bus|train))(?!\p{L})/u
// A time alone is read as today's, which is a guess.
const MOST_GUESSED = 0.4
/** A correction is no further away; what is further away is something else. */
const MOST_MINUTES_APART = 150
const MOST_MESSAGES = 12

/** In a chat, the time that a later message states alone: "finally 7.30", "20:30 is better". */
export function withLastTime(
  picked: PickedWhen | undefined,
  source: SourceText,
  options: Parameters<typeof readWhen>[1],
): PickedWhen | undefined {
  if (picked === undefined || source.lines.every(({ speaker }) => speaker === undefined))
    return picked
  const { time, day } = picked.when
  const later = source.lines
    .filter(({ speaker, start }) => speaker !== undefined && start > picked.when.index)
    .slice(-MOST_MESSAGES)
    .filter(
      ({ text, start, end }) =>
        /\d/.test(text) && !OWN_ARRIVAL.test(source.folded.slice(start, end)),
    )
  const said = later
    .map(({ text }) => readWhen(text, options).find(isTimeAlone))
    .findLast((when) => when !== undefined)
  const corrected =
    said?.time === undefined ? undefined : time === undefined ? said.time : nearTo(time, said.time)
  if (corrected === undefined || corrected === time || said === undefined) return picked
  const end = said.endTime === undefined ? undefined : nearTo(corrected, said.endTime)
  const { endTime: _, endDay: __, ...rest } = picked.when
  return {
    ...picked,
    when: {
      ...rest,
      time: corrected,
      isAllDay: false,
      ...(end === undefined ? {} : { endDay: day, endTime: end }),
    },
    time: time === undefined ? 0.6 : Math.min(picked.time, 0.75),
  }
}

function isTimeAlone({ time, confidence, aside }: When): boolean {
  return time !== undefined && aside === undefined && confidence <= MOST_GUESSED
}

/** The time, or the same in the other half of the day, if it is near to another. */
function nearTo(time: WallTime, said: WallTime): WallTime | undefined {
  const minutes = (one: WallTime) => Number(one.slice(0, 2)) * 60 + Number(one.slice(3))
  const other: WallTime = `${String((Number(said.slice(0, 2)) + 12) % 24).padStart(2, '0')}:${said.slice(3)}`
  return [said, other].find((one) => Math.abs(minutes(one) - minutes(time)) <= MOST_MINUTES_APART)
}
