import { z } from 'zod'

export const PRIORITIES = ['high', 'medium', 'low'] as const
export const Priority = z.enum(PRIORITIES)
export type Priority = z.infer<typeof Priority>

export const HEALTHS = ['excellent', 'good', 'warning', 'critical'] as const
export const HealthName = z.enum(HEALTHS)
export type HealthName = z.infer<typeof HealthName>

export const SEVERITIES = ['high', 'medium', 'low'] as const
export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>

export const PROJECT_STATES = ['active', 'on_hold', 'completed', 'archived', 'deleted'] as const
export const ProjectState = z.enum(PROJECT_STATES)
export type ProjectState = z.infer<typeof ProjectState>

export const ProjectTitle = z.string().trim().min(1).max(200)
export const Description = z.string().trim().max(2000)
export const Path = z
  .string()
  .trim()
  .max(500)
  .describe('The location of its files: a folder or an address.')
export const Phase = z
  .string()
  .trim()
  .max(100)
  .describe('Its stage in your own words: "planning", "beta".')
export const Progress = z.number().min(0).max(100)
export const TargetText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('The target day: "2026-12-24", "next Friday", "in three weeks".')
export const Member = z.string().trim().min(1).max(200).describe('The sign-in name of the person.')
export const LogText = z.string().trim().min(1).max(500)
export const Limit = z.number().int().min(1).max(200)

/** A query for a project: its id, its name, or a part of the name that is unique. */
export const ProjectNamed = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('Name or partial name of the project, or its id.')

/** A project in a list. */
export const ProjectSummary = z.object({
  id: z.string(),
  name: z.string(),
  state: ProjectState,
  priority: Priority,
  role: z.enum(['owner', 'member']).describe('Your role; only the owner can change the project.'),
  current_phase: z.string().optional(),
  progress: Progress.optional().describe('Per cent; left out when unknown.'),
  health: HealthName.optional().describe('Left out when there are no signals.'),
  target_day: z.string().optional(),
  open_tasks: z.number().int(),
  overdue_tasks: z.number().int(),
  last_updated: z.iso.datetime(),
})
export type ProjectSummary = z.infer<typeof ProjectSummary>
