/**
 * What a calendar may hold: beyond it a file is meant to hurt, or belongs to a database. All are
 * safe to raise with memory in mind.
 */
export const MOST_CHARACTERS = 10 * 1024 * 1024
export const MOST_COMPONENTS = 50_000
/** A calendar, its event, the event's alarm: real files end at three. */
export const DEEPEST = 8
export const MOST_RULES = 16
export const MOST_EXTRA_TIMES = 5000
export const LONGEST_RULE = 1000
/**
 * How many times a series of several times a day may have in one window (a fifth of a second of
 * work): every hour of five weeks.
 */
export const MOST_OF_A_DENSE_SERIES = 840
/**
 * How many times of all series together are looked at for one window (a few seconds of work): what
 * is made to hurt ends here.
 */
export const MOST_CANDIDATES = 20_000
