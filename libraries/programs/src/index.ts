export { compositeFromData, type FromData, type ProgramParts } from './composite-from-data.ts'
export { type Program, ProgramForm, type ProgramStep, programSchema } from './program-form.ts'
