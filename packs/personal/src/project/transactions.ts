import { changeProject } from './change-project.ts'
import { createProject } from './create-project.ts'

/** Everything this family writes. */
export const projectTransactions = [createProject, changeProject] as const
