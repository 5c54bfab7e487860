import { startCluster } from '@surehand/sql/testing/cluster'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL for this run of the tests, by the url of its first database. */
    postgres: string
  }
}

/** Before the first test that needs it: one PostgreSQL for all of them, gone after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster()
  project.provide('postgres', cluster.url('postgres'))
  return cluster.stop
}
