import { isToolError, ToolError } from '@surehand/core'
import { type CalendarEvent, readCalendar } from '@surehand/icalendar'

/**
 * The events of a stored calendar object. An unreadable one is an error, because leaving it out
 * would look like free time.
 */
export function readEvents(text: string, where: string): readonly CalendarEvent[] {
  try {
    return readCalendar(text).filter((item) => item.kind === 'event')
  } catch (cause) {
    const why = isToolError(cause) ? cause.message : 'It is broken.'
    throw new ToolError(
      'TOOL_DATA_CORRUPTION',
      `The calendar contains an event that cannot be read (${where}). ${why}`,
      { cause },
    )
  }
}
