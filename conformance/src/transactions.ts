// A store's writer thread loads this file once for each test: it imports no schemas.
export { SUITE_TRANSACTIONS } from './stores/suite-transactions.ts'
export { addNote } from './world/add-note.ts'
