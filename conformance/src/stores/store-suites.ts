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
  for (const suite of [ledgerSuite, transactionSuite, runSuite, approvalSuite, jobSuite]) suite(name, open)
  for (const suite of [limitSuite, cacheSuite, auditSuite, valueSuite, adminSuite, noticeSuite]) suite(name, open)
}
