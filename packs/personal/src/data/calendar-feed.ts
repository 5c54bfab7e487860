import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { readTimeZone } from '../local-time.ts'
import { requireSelfScope } from '../person.ts'
import { bindReader, personalData } from '../personal-data.ts'
import { systemSettings } from '../system/system-settings.ts'
import { MOST_FEED_ITEMS, readFeedRows, writeFeed } from './feed.ts'

export const calendarFeed = defineTool({
  id: 'data.calendar_feed',
  title: 'Get due dates as a calendar',
  category: 'integration',
  description:
    "A person's due dates as an iCalendar text: open tasks with their dates, habits with a reminder (repeating, with an alarm), target days of projects. For calendar programs; for reading them yourself, task.list and habit.today_plan are shorter.",
  version: '2.0.0',
  aliases: ['tools.data.calendar_feed'],
  input: z.object({
    tasks_as: z
      .enum(['events', 'todos'])
      .default('events')
      .describe('Most calendar programs show the events of a subscription, but not its to-dos.'),
  }),
  output: z.object({
    media_type: z.literal('text/calendar'),
    calendar: z.string(),
    items: z.int(),
    note: z.string().optional(),
  }),
  contract: {
    effect: 'read',
    permissions: {
      roles: ['user'],
      capabilities: [
        { name: 'task.read', scope: 'self_only' },
        { name: 'habit.read', scope: 'self_only' },
        { name: 'project.read', scope: 'owned' },
      ],
    },
    securityLevel: 'confidential',
    limits: [
      { calls: 30, per: '1m' },
      { calls: 500, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    { name: 'events', input: {} },
    {
      name: 'todos',
      description: 'For programs with to-do lists',
      input: { tasks_as: 'todos' },
    },
  ],
  execute: async (execution) => {
    const person = requireSelfScope(execution, 'task.read')
    const read = bindReader(execution)
    if ((await systemSettings(person, read)).calendar_feed === 'off')
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        'An administrator has switched calendars off (setting calendar_feed).',
      )
    const rows = await readFeedRows(read, person)
    const timeZone = await readTimeZone(execution.caller, read)
    return {
      media_type: 'text/calendar' as const,
      calendar: writeFeed(rows, {
        timeZone,
        now: execution.now(),
        tasksAs: execution.input.tasks_as,
      }),
      items: rows.tasks.length + rows.habits.length + rows.projects.length,
      ...(rows.tasks.length < MOST_FEED_ITEMS
        ? {}
        : { note: `Only the next ${MOST_FEED_ITEMS} due tasks are included.` }),
    }
  },
})
