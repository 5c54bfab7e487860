import { definePack } from '@surehand/core'
import { calendarFeed } from './calendar/calendar-feed.ts'
import { calendarRead } from './calendar/calendar-read.ts'
import { calendarWrite } from './calendar/calendar-write.ts'
import { eventsCapture } from './capture/capture.ts'
import { keepPicture } from './capture/keep-picture.ts'
import { directionsEstimate } from './directions/directions-estimate.ts'
import { eventsExtract } from './extract/extract.ts'
import { createDayPreview } from './media/create-day-preview.ts'
import { flashImageEdit } from './media/flash-image-edit.ts'
import { generatePoster } from './media/generate-poster.ts'
import { placesResolve } from './places/places-resolve.ts'
import { chooseProviders, EVENTS_NEEDS } from './providers/choose-providers.ts'
import { tasksWrite } from './tasks/tasks-write.ts'
import { timezoneResolve } from './timezone/timezone-resolve.ts'
import { urlExpand } from './url/url-expand.ts'

const USER_CAPABILITIES = ['calendar.read', 'calendar.write', 'tasks.write', 'media.write']

/** Tools that turn a flyer, a link or a sentence into an event in a calendar. */
export const eventsPack = definePack({
  name: 'events',
  tools: [
    calendarRead,
    calendarWrite,
    calendarFeed,
    placesResolve,
    timezoneResolve,
    directionsEstimate,
    urlExpand,
    flashImageEdit,
    generatePoster,
    createDayPreview,
    tasksWrite,
    eventsExtract,
    eventsCapture,
    keepPicture,
  ],
  grants: { user: USER_CAPABILITIES },
  views: [
    {
      name: 'review',
      title: 'Events to review',
      summary: 'Captured events that wait for your review, with their posters.',
      tools: ['events.capture'],
      refresh: 'live',
      load: () => import('./views/review.ts'),
    },
  ],
  needs: EVENTS_NEEDS,
  providers: chooseProviders,
})
