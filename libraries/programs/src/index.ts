export { compositeFromData, type FromData, type ProgramParts } from './composite-from-data.ts'
export type { DryRun } from './dry-run.ts'
export { type Program, ProgramForm, type ProgramStep, programSchema } from './program-form.ts'
export { createPrograms, type ProgramsApi, type ProgramView } from './programs-api.ts'
