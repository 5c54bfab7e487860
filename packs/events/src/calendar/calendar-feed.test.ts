import { contractSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { localWorld } from '../fixtures/local-world.ts'
import { calendarFeed } from './calendar-feed.ts'
import { ownCalendarFiles } from './providers/own-calendars.ts'

contractSuite(calendarFeed, {
  open: localWorld(() => ({
    providers: { ownCalendar: ownCalendarFiles({ values: memoryStores().values }) },
  })),
})
