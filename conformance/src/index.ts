export { applies, type Behaviour } from './behaviour.ts'
export { behaviourSuite, type Result, runBehaviour } from './behaviour-suite.ts'
export { BEHAVIOURS } from './behaviours/all.ts'
export { type CaseKind, type ContractCase, contractCases } from './contract/contract-cases.ts'
export type { ContractWorld, OpenContractWorld } from './contract/contract-world.ts'
export { contractSuite, runContractCase } from './contract-suite.ts'
export { type FakeClock, fakeClock, settle } from './fake-clock.ts'
export { type InFlight, inFlight } from './in-flight.ts'
export { ALL_ABILITIES, inProcessSurface } from './in-process-surface.ts'
export type { Mutant, ProviderMethod, Providers } from './mutant.ts'
export { findBrokenRows, type Requirement, requirementTable } from './requirements.ts'
export { adminSuite } from './stores/admin-suite.ts'
export { approvalSuite } from './stores/approval-suite.ts'
export { auditSuite } from './stores/audit-suite.ts'
export { cacheSuite } from './stores/cache-suite.ts'
export { jobSuite } from './stores/job-suite.ts'
export { ledgerSuite } from './stores/ledger-suite.ts'
export { limitSuite } from './stores/limit-suite.ts'
export type { OpenedStores, OpenStores } from './stores/opened.ts'
export { aNote, aRunQuestion, GIVEN } from './stores/run-samples.ts'
export { runSuite } from './stores/run-suite.ts'
export {
  aCall,
  anEntry,
  approvedByPerson,
  aQuestion,
  DONE,
  deniedByPerson,
  EFFECT,
  fenceOf,
  LEASE_MS,
  RELEASED,
  UNKNOWN,
} from './stores/samples.ts'
export { callSuites, sharedStoreSuites, storeSuites } from './stores/store-suites.ts'
export { SUITE_TRANSACTIONS } from './stores/suite-transactions.ts'
export { transactionSuite } from './stores/transaction-suite.ts'
export { valueSuite } from './stores/value-suite.ts'
export type { Ability, ApiResult, Surface, SurfaceRequest } from './surface.ts'
export { renderTable } from './table.ts'
export { createTransit, createUnderWay, type Transit, type UnderWay } from './under-way.ts'
export { addNote } from './world/add-note.ts'
export { createEmulator, type Emulator } from './world/emulator.ts'
export { fixturePack } from './world/fixture-pack.ts'
export { NOTES_SCHEMA } from './world/notes.ts'
export { type Ask, openWorld, type Process, type World, type WorldSetup } from './world/world.ts'
