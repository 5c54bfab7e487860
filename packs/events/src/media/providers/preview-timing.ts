export const PREVIEW_SIZE = { width: 1280, height: 720 } as const
export const FRAMES_PER_SECOND = 20

const TITLE_SECONDS = 2
const MAX_EVENT_SECONDS = 20
const [MIN_CARD_SECONDS, MAX_CARD_SECONDS] = [0.9, 2.5]

/** The frames of a card: fewer with more events, so that a full day renders within a minute. */
export function cardFrames(card: 'title' | 'event', events: number): number {
  const seconds =
    card === 'title'
      ? TITLE_SECONDS
      : Math.min(MAX_CARD_SECONDS, Math.max(MIN_CARD_SECONDS, MAX_EVENT_SECONDS / events))
  return Math.round(seconds * FRAMES_PER_SECOND)
}

/** The visibility of a card at a frame, from 0 to 1: it fades in, stays and fades out. */
export function visibilityAt(frame: number, frames: number): number {
  const share = Math.min(
    1,
    (frame + 1) / (0.35 * FRAMES_PER_SECOND),
    (frames - frame) / (0.25 * FRAMES_PER_SECOND),
  )
  return 1 - (1 - share) ** 3
}
