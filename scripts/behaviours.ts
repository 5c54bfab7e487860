import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BEHAVIOURS, table } from '@surehand/conformance'
import { runSuites, type Seen } from './steps.ts'

const FILE = join(import.meta.dirname, '..', 'docs', 'conformance.md')
const HEAD = `# What holds at which door

One row a promise of RULES.md, run over every door with the same stores, clock and providers: ✓ it holds, – the door can not carry what it takes
(a key that no header can hold, a framework's own ids over HTTP), ✗ it is broken. The gate fails when this page is not what it saw.
Written by \`npm run conformance\`.

`

/** Prints how often what held where, and says whether the page in docs is true: 1 when it is not. */
export function tellBehaviours(seen: readonly Seen[]): number {
  for (const [door, results] of Map.groupBy(seen, (one) => one.door)) {
    const count = (verdict: Seen['verdict']) =>
      results.filter((one) => one.verdict === verdict).length
    console.log(
      `${door.padEnd(24)}${count('holds')} hold, ${count('broken')} broken, ${count('does not apply')} do not apply`,
    )
  }
  const kept = readFileSync(FILE, 'utf8')
  const doors = new Set(seen.map(({ door }) => door))
  // a suite that did not run here has been told of already
  if (columns(kept).some((door) => !doors.has(door)) || page(seen) === kept) return 0
  console.log('docs/conformance.md is not what was seen: npm run conformance')
  return 1
}

function columns(text: string): readonly string[] {
  const head = text.split('\n').find((line) => line.startsWith('| behaviour'))
  return (head ?? '')
    .split(' | ')
    .slice(3)
    .map((cell) => cell.replace(/ \|$/, ''))
}

function page(seen: readonly Seen[]): string {
  return `${HEAD}${BEHAVIOURS.length} promises, ${new Set(seen.map(({ door }) => door)).size} doors.\n\n${table(seen)}\n`
}

if (import.meta.main) {
  const command = [
    'vitest',
    'run',
    '--allowOnly=false',
    'behaviours.test.ts',
    'behaviours.postgres.test.ts',
    'conformance/src/coverage.test.ts',
  ]
  const { seen, failed } = await runSuites([{ name: 'conformance', command, needs: [] }])
  writeFileSync(FILE, page(seen))
  if (failed > 0) process.exitCode = 1
}
