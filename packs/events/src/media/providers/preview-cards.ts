import type { Node } from 'takumi-js'
import type { PreviewOrder } from '../day-previews-port.ts'
import type { Canvas } from './canvas.ts'
import type { Fonts } from './fonts.ts'
import { PREVIEW_LOOKS } from './preview-looks.ts'
import { cardFrames } from './preview-timing.ts'

/** One card of a preview. */
export type Card = {
  readonly frames: number
  /** Draws the card with a visibility from 0 to 1. While that is constant the frame is reused. */
  readonly frame: (visibility: number) => Node
}

export type CardText = {
  /** Above the large text: a time, or a weekday. */
  readonly small: string
  readonly large: string
  readonly below: string
  /** The number of the event; 0 is the title card. */
  readonly index: number
  readonly count: number
}

/** The texts of the cards of a day, in order. */
export function cardTexts(
  { date, events }: Pick<PreviewOrder, 'date' | 'events'>,
  fonts: Pick<Fonts, 'drawable'>,
): readonly CardText[] {
  const day = new Date(`${date}T00:00:00Z`)
  const count = events.length
  const inUtc = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(day)
  const title = {
    small: inUtc({ weekday: 'long' }),
    large: inUtc({ day: 'numeric', month: 'long', year: 'numeric' }),
    below: count === 0 ? 'Nothing planned' : count === 1 ? 'One event' : `${count} events`,
    index: 0,
    count,
  }
  return [
    title,
    ...events.map(({ title: large, time, place = '' }, index) => ({
      small: time,
      large: fonts.drawable(large),
      below: fonts.drawable(place),
      index: index + 1,
      count,
    })),
  ]
}

/** The cards of a day, ready to be drawn frame by frame. */
export async function layOutCards(
  canvas: Canvas,
  texts: readonly CardText[],
  style: PreviewOrder['style'],
): Promise<readonly Card[]> {
  const cards: Card[] = []
  for (const text of texts) {
    const frames = cardFrames(text.index === 0 ? 'title' : 'event', text.count)
    cards.push({ frames, frame: await PREVIEW_LOOKS[style](canvas, text) })
  }
  return cards
}
