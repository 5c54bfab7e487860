import { isToolError, ToolError } from '@surehand/core'
import { type CalendarEvent, readCalendar } from '@surehand/icalendar'

/** The events of an object that a calendar keeps. One that can't be read is not left out: nobody would know that there is something. */
export function readEvents(text: string, where: string): readonly CalendarEvent[] {
  try {
    return readCalendar(text).filter((item) => item.kind === 'event')
  } catch (cause) {
    const why = isToolError(cause) ? cause.message : 'It is broken.'
    throw new ToolError(
      'TOOL_DATA_CORRUPTION',
      `The calendar holds something that can not be read (${where}). ${why}`,
      { cause },
    )
  }
}
