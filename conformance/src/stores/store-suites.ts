import { adminSuite } from './admin-suite.ts'
import { approvalSuite } from './approval-suite.ts'
import { auditSuite } from './audit-suite.ts'
import { cacheSuite } from './cache-suite.ts'
import { jobSuite } from './job-suite.ts'
import { ledgerSuite } from './ledger-suite.ts'
import { limitSuite } from './limit-suite.ts'
import { noticeSuite } from './notice-suite.ts'
import type { OpenStores } from './opened.ts'
import { runSuite } from './run-suite.ts'
import { transactionSuite } from './transaction-suite.ts'
import { valueSuite } from './value-suite.ts'

/** Every store port's suite over one kind of stores. */
export function storeSuites(name: string, open: OpenStores): void {
  callSuites(name, open)
  sharedStoreSuites(name, open)
}

/** The stores that calls need; one half of the suites, for stores that take long to open. */
export function callSuites(name: string, open: OpenStores): void {
  for (const suite of [ledgerSuite, transactionSuite, noticeSuite]) suite(name, open)
}

/** Everything else: the other half. */
export function sharedStoreSuites(name: string, open: OpenStores): void {
  for (const suite of [
    runSuite,
    approvalSuite,
    jobSuite,
    limitSuite,
    cacheSuite,
    auditSuite,
    valueSuite,
    adminSuite,
  ])
    suite(name, open)
}
