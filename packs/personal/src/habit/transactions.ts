import { createHabit } from './writes/create-habit.ts'
import { deleteHabit } from './writes/delete-habit.ts'
import { recordCompletion } from './writes/record-completion.ts'
import { updateHabit } from './writes/update-habit.ts'

/** Everything this family writes. */
export const habitTransactions = [createHabit, updateHabit, deleteHabit, recordCompletion] as const
