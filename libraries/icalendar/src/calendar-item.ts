/**
 * A moment as calendars know it: a day, a clock time in a zone (`UTC` is one), or a clock time
 * wherever its reader is.
 */
export type CalendarTime =
  | { readonly kind: 'date'; readonly date: string }
  | { readonly kind: 'zoned'; readonly local: string; readonly timeZone: string }
  | { readonly kind: 'floating'; readonly local: string }

/**
 * When it happens again: rules without their name (`FREQ=WEEKLY;BYDAY=MO`), further times, and
 * times at which it does not.
 */
export type Recurrence = {
  readonly rules: readonly string[]
  readonly additions: readonly CalendarTime[]
  readonly exceptions: readonly CalendarTime[]
}

type Common = {
  readonly uid: string
  readonly summary?: string
  readonly description?: string
  readonly location?: string
  readonly url?: string
  /** Instants, as RFC 3339 in UTC. */
  readonly created?: string
  readonly updated?: string
  readonly sequence?: number
  readonly recurrence?: Recurrence
  /** This stands in for the one occurrence that would have begun then. */
  readonly recurrenceId?: CalendarTime
}

export type CalendarEvent = Common & {
  readonly kind: 'event'
  readonly status?: 'tentative' | 'confirmed' | 'cancelled'
  /** It takes no time: its owner is free meanwhile, as on a public holiday. */
  readonly isTransparent?: true
  readonly start: CalendarTime
  /**
   * The first moment after it; of a day, the day after. Left out, it is the whole day, or a mere
   * point of time.
   */
  readonly end?: CalendarTime
}

export type CalendarTask = Common & {
  readonly kind: 'task'
  readonly status?: 'needs-action' | 'in-process' | 'completed' | 'cancelled'
  readonly start?: CalendarTime
  readonly due?: CalendarTime
  /** An instant, as RFC 3339 in UTC. */
  readonly completed?: string
  /** 1 is the most urgent, 9 the least, 0 says nothing. */
  readonly priority?: number
  readonly percentComplete?: number
}

export type CalendarItem = CalendarEvent | CalendarTask
