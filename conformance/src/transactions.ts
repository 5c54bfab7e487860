export { SUITE_TRANSACTIONS } from './stores/suite-transactions.ts'
export { addNote } from './world/notes.ts'
