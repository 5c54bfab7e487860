import { startCluster } from '@surehand/sql/testing/cluster'
import type { TestProject } from 'vitest/node'
import { missingNeeds, POSTGRES } from './needs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the first database of the PostgreSQL server of this test run. */
    postgres: string
  }
}

/** Starts one PostgreSQL server before the first test that needs it and stops it after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await missingNeeds([POSTGRES])
  const cluster = await startCluster()
  project.provide('postgres', cluster.url('postgres'))
  return cluster.stop
}
