import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { geocoderPort } from '../maps/maps-ports.ts'
import { PLAN_ID_LENGTH } from '../plans/plan-contract.ts'
import { planRead } from '../plans/plan-read.ts'
import { plansPort } from '../plans/plans-port.ts'
import { staysPort } from '../stays/stays-port.ts'
import { contextOf } from '../travel-context.ts'
import { townsPort } from './towns-port.ts'
import { DOCUMENT_FORMATS, PlanDocument, writeDocument } from './write-document.ts'

export const exportTravelPlan = defineTool({
  id: 'travel.exportTravelPlan',
  title: 'Write out a travel plan',
  category: 'travel',
  description:
    'Writes a plan as Markdown, as an iCalendar file, or as a page to print with maps, days, costs and what is booked.',
  aliases: ['exportTravelPlan'],
  input: z.object({
    planId: z.string().min(1).max(PLAN_ID_LENGTH),
    format: z.enum(DOCUMENT_FORMATS).default('markdown'),
  }),
  output: PlanDocument,
  contract: { ...planRead, timeout: '20s' },
  ports: { plans: plansPort, stays: staysPort, geocoder: geocoderPort, towns: townsPort },
  examples: [
    { name: 'as Markdown', input: { planId: 'plan_1' } },
    { name: 'for a calendar', input: { planId: 'plan_1', format: 'icalendar' } },
  ],
  execute: ({ input, caller, ports, now, signal }) =>
    writeDocument(contextOf(caller), { ...input, nowMs: now() }, { ports, signal }),
})
