export const PREVIEW_SIZE = { width: 1280, height: 720 } as const
export const FRAMES_PER_SECOND = 20

const TITLE_SECONDS = 2
const MOST_SECONDS_OF_EVENTS = 20
const [SHORTEST_SECONDS, LONGEST_SECONDS] = [0.9, 2.5]

/**
 * How long a card stands: the more there are, the shorter, so that a full day is still made within
 * a minute.
 */
export function framesOf(card: 'title' | 'event', events: number): number {
  const seconds =
    card === 'title'
      ? TITLE_SECONDS
      : Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, MOST_SECONDS_OF_EVENTS / events))
  return Math.round(seconds * FRAMES_PER_SECOND)
}

/** How much of a card is there at a frame, from 0 to 1: it comes quickly, stands, and goes. */
export function presenceAt(frame: number, frames: number): number {
  const share = Math.min(
    1,
    (frame + 1) / (0.35 * FRAMES_PER_SECOND),
    (frames - frame) / (0.25 * FRAMES_PER_SECOND),
  )
  return 1 - (1 - share) ** 3
}
