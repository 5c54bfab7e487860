import { definePack } from '@surehand/core'

/** From a flyer, a link or a sentence to the calendar. */
export const eventsPack = definePack({ name: 'events', tools: [] })
