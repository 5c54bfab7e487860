import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**', 'bench/**', '.bench/**'],
    pool: 'threads',
    // the default leaves one core free, which on two cores means one test file at a time
    maxWorkers: '100%',
    // generous: the machines are noisy, and what hangs hangs for longer than this
    testTimeout: 60_000,
    setupFiles: ['scripts/fast-check-seed.ts'],
  },
})
