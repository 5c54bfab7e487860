import { z } from 'zod'
import { CanonicalEvent } from '../extract/canonical-event.ts'
import { PreviewStyle } from './day-previews-port.ts'

export const DayPreviewInput = z.object({
  events: z.array(CanonicalEvent).max(24).describe("The day's events; at most 24."),
  date: z.iso.date().describe('The day, as in 2026-06-20.'),
  style: PreviewStyle.default('cinematic'),
})

export const DayPreviewOutput = z.object({
  videoUrl: z.string(),
  durationSeconds: z.number().min(0),
  provider: z.string().optional().describe('Who made it.'),
})
