import { defineConfig } from 'vitest/config'

const LEFT_OUT = [
  ...['**/node_modules/**', '**/dist/**', '**/fixtures/**', 'bench/**', '.bench/**', '.packed/**'],
  // tests for node:test, run by the test that creates an app
  'libraries/scaffold/templates/**',
]
// they need a PostgreSQL, which is started only if one of them runs
const POSTGRES_TESTS = '**/*.postgres.test.ts'
// they need Chromium
const BROWSER_TESTS = '**/*.browser.test.ts'
// they need programs of others, such as nginx
const OUTSIDE_TESTS = '**/*.outside.test.ts'
// minutes of dying processes, on both stores
const CHAOS_TESTS = '**/*.chaos.test.ts'

// packages as users install them; minutes, and not part of the gate
const PACKED_TESTS = '**/*.packed.test.ts'

export default defineConfig({
  test: {
    pool: 'threads',
    // Node strips the types itself: Vite's transformation costs a twentieth of the time, and what it
    // makes of an import is slower than one.
    experimental: { viteModuleRunner: false },
    // the default leaves one core free, which on two cores means one test file at a time
    maxWorkers: '100%',
    // generous: the machines are noisy, and what hangs hangs for longer than this
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest's own limit of a second is a race on a busy machine. What never happens fails the test
    // a moment before its own time-out, with the value seen last.
    expect: { poll: { timeout: 100_000 } },
    // A server that runs while five minutes end would compute the meaning of the demo's pages, which
    // takes seconds of CPU. Tests of the search by meaning hand the model in.
    env: { SITE_EMBEDDINGS: 'off' },
    setupFiles: ['scripts/temporary-folder.ts', 'scripts/fast-check-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          // Four hundred files need not load the same modules four hundred times: they share them
          // within a worker, and a test restores whatever it changes.
          isolate: false,
          include: ['**/*.test.{ts,tsx}'],
          exclude: [
            ...LEFT_OUT,
            POSTGRES_TESTS,
            BROWSER_TESTS,
            OUTSIDE_TESTS,
            CHAOS_TESTS,
            PACKED_TESTS,
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          isolate: false,
          include: [POSTGRES_TESTS],
          exclude: LEFT_OUT,
          globalSetup: ['scripts/postgres-for-tests.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          isolate: false,
          include: [BROWSER_TESTS],
          exclude: LEFT_OUT,
          globalSetup: ['scripts/programs-for-tests.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'outside',
          isolate: false,
          include: [OUTSIDE_TESTS],
          exclude: LEFT_OUT,
          globalSetup: ['scripts/programs-for-tests.ts', 'scripts/postgres-for-tests.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'packed',
          // They install hundreds of packages and build images.
          testTimeout: 2_700_000,
          hookTimeout: 2_700_000,
          include: [PACKED_TESTS],
          exclude: LEFT_OUT,
          globalSetup: ['scripts/pack/packed-for-tests.ts', 'scripts/programs-for-tests.ts'],
        },
      },
      {
        extends: true,
        // A test is hundreds of processes, and each waits until the leases of others have expired.
        test: { name: 'chaos', testTimeout: 900_000, include: [CHAOS_TESTS], exclude: LEFT_OUT },
      },
    ],
  },
})
