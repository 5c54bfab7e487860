import { join } from 'node:path'
import type { PackGiven, PackNeeds } from '@surehand/core/host'
import {
  googlePlaces,
  googleRoutes,
  googleTimeZones,
  localDirections,
  localPlaces,
  localTimeZones,
} from '@surehand/places'
import { localImageCleanUp, localOcr } from '@surehand/reading'
import { openVendorAccess } from '@surehand/vendors'
import { CALENDAR_NEEDS, chooseCalendar } from '../calendar/providers/choose-calendar.ts'
import { ownCalendarFiles } from '../calendar/providers/own-calendars.ts'
import { artifactPictures } from '../capture/keep-picture.ts'
import { aiSdkModel } from '../extract/providers/ai-sdk-model.ts'
import { noModel } from '../extract/providers/no-model.ts'
import { geminiImageCleanUp } from '../media/providers/gemini-image-clean-up.ts'
import { imagenPosters } from '../media/providers/imagen-posters.ts'
import { localDayPreviews } from '../media/providers/local-day-previews.ts'
import { localPosters } from '../media/providers/local-posters.ts'
import { veoDayPreviews } from '../media/providers/veo-day-previews.ts'
import { googleTasks } from '../tasks/providers/google-tasks.ts'
import { ownTodos } from '../tasks/providers/own-todos.ts'
import { personalTodos } from '../tasks/providers/personal-todos.ts'
import { webPages } from '../url/providers/web-pages.ts'

const PAGE_BYTES = 5_000_000
const MEDIA_BYTES = 64_000_000
const MODEL_TIMEOUT_MS = 20_000

/** Used where no setting names another. Vendors retire models within a year or so. */
const MODELS = {
  EVENTS_MODEL: 'gpt-5-mini',
  GEMINI_IMAGE_MODEL: 'gemini-3.1-flash-image',
  GEMINI_POSTER_MODEL: 'gemini-3.1-flash-image',
  GEMINI_VIDEO_MODEL: 'veo-3.1-generate-preview',
}

/** The settings that enable a vendor; without them everything is done locally. */
export const EVENTS_NEEDS = {
  secrets: {
    ...CALENDAR_NEEDS.secrets,
    GOOGLE_MAPS_KEY: { for: "Google's places, time zones and routes", optional: true },
    GOOGLE_TASKS_TOKEN: {
      for: 'the Google account that to-dos are written to',
      optional: true,
    },
    GEMINI_API_KEY: { for: "Google's models for pictures and videos", optional: true },
    OPENAI_API_KEY: { for: 'a model that extracts events from texts and pictures', optional: true },
  },
  settings: {
    ...CALENDAR_NEEDS.settings,
    GOOGLE_PLACES_URL: { for: "another address than Google's own, such as an emulator's" },
    GOOGLE_MAPS_URL: { for: 'the same for time zones' },
    GOOGLE_ROUTES_URL: { for: 'the same for routes' },
    GOOGLE_TASKS_URL: { for: 'the same for tasks' },
    GEMINI_URL: { for: 'the same for pictures and videos' },
    OPENAI_BASE_URL: { for: 'another API that is compatible with OpenAI' },
    EVENTS_MODEL: { for: `the model that extracts events; ${MODELS.EVENTS_MODEL} by default` },
    GEMINI_IMAGE_MODEL: {
      for: `the model that cleans up pictures; ${MODELS.GEMINI_IMAGE_MODEL} by default`,
    },
    GEMINI_POSTER_MODEL: {
      for: `the model that makes posters; ${MODELS.GEMINI_POSTER_MODEL} by default`,
    },
    GEMINI_VIDEO_MODEL: {
      for: `the model that makes videos; ${MODELS.GEMINI_VIDEO_MODEL} by default`,
    },
  },
  hosts: [
    ...CALENDAR_NEEDS.hosts,
    'places.googleapis.com',
    'maps.googleapis.com',
    'routes.googleapis.com',
    'tasks.googleapis.com',
    'generativelanguage.googleapis.com',
    'api.openai.com',
  ],
} satisfies PackNeeds

/** A vendor's provider where its key is set, otherwise the local one. */
export function chooseProviders(given: PackGiven): Readonly<Record<string, object>> {
  const places = openVendorAccess(given, {
    secret: 'GOOGLE_MAPS_KEY',
    setting: 'GOOGLE_PLACES_URL',
    defaultUrl: 'https://places.googleapis.com',
  })
  const zones = openVendorAccess(given, {
    secret: 'GOOGLE_MAPS_KEY',
    setting: 'GOOGLE_MAPS_URL',
    defaultUrl: 'https://maps.googleapis.com',
  })
  const routes = openVendorAccess(given, {
    secret: 'GOOGLE_MAPS_KEY',
    setting: 'GOOGLE_ROUTES_URL',
    defaultUrl: 'https://routes.googleapis.com',
  })
  const tasks = openVendorAccess(given, {
    secret: 'GOOGLE_TASKS_TOKEN',
    setting: 'GOOGLE_TASKS_URL',
    defaultUrl: 'https://tasks.googleapis.com',
  })
  const gemini = openVendorAccess(given, {
    secret: 'GEMINI_API_KEY',
    setting: 'GEMINI_URL',
    defaultUrl: 'https://generativelanguage.googleapis.com',
    maxBytes: MEDIA_BYTES,
  })
  const openai = openVendorAccess(given, {
    secret: 'OPENAI_API_KEY',
    setting: 'OPENAI_BASE_URL',
    defaultUrl: 'https://api.openai.com/v1',
  })
  const { values, keepArtifact } = given
  const modelOf = (setting: keyof typeof MODELS): string =>
    given.setting(setting) ?? MODELS[setting]
  return {
    calendar: chooseCalendar(given),
    ownCalendar: ownCalendarFiles({ values }),
    places: places === undefined ? localPlaces() : googlePlaces(places),
    timeZones: zones === undefined ? localTimeZones() : googleTimeZones(zones),
    directions: routes === undefined ? localDirections() : googleRoutes(routes),
    pages: webPages({ fetchFor: (tenant) => given.fetch({ tenant, maxBytes: PAGE_BYTES }) }),
    todos: tasks === undefined ? personalTodos(given, ownTodos(values)) : googleTasks(tasks),
    imageCleanUp:
      gemini === undefined
        ? localImageCleanUp()
        : geminiImageCleanUp({ ...gemini, model: modelOf('GEMINI_IMAGE_MODEL') }),
    posters:
      gemini === undefined
        ? localPosters({ keepArtifact })
        : imagenPosters({ ...gemini, model: modelOf('GEMINI_POSTER_MODEL'), values, keepArtifact }),
    pictures: artifactPictures({ values, keepArtifact }),
    dayPreviews:
      gemini === undefined
        ? localDayPreviews({ keepArtifact })
        : veoDayPreviews({ ...gemini, model: modelOf('GEMINI_VIDEO_MODEL'), values, keepArtifact }),
    ocr: localOcr({ folder: join(given.folder, 'ocr') }),
    eventModel:
      openai === undefined
        ? noModel()
        : aiSdkModel({ ...openai, model: modelOf('EVENTS_MODEL'), timeoutMs: MODEL_TIMEOUT_MS }),
  }
}
