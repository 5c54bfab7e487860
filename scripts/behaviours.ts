import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BEHAVIOURS, renderTable } from '@surehand/conformance'
import { type BehaviourResult, runSuites } from './steps.ts'

const FILE = join(import.meta.dirname, '..', 'docs', 'conformance.md')
const HEAD = `# What holds at which surface

One row a promise of RULES.md, run over every surface with the same stores, clock and providers: ✓ it holds, – the surface can not carry what it takes
(a key that no header can hold, a framework's own ids over HTTP), ✗ it is broken. The gate fails when this page is not what it saw.
Written by \`npm run conformance\`.

`

/** Prints how often what held where, and says whether the page in docs is true: 1 when it is not. */
export function reportBehaviours(seen: readonly BehaviourResult[]): number {
  for (const [surface, results] of Map.groupBy(seen, (one) => one.surface)) {
    const count = (verdict: BehaviourResult['verdict']) =>
      results.filter((one) => one.verdict === verdict).length
    console.log(
      `${surface.padEnd(24)}${count('holds')} hold, ${count('broken')} broken, ${count('does not apply')} do not apply`,
    )
  }
  const kept = readFileSync(FILE, 'utf8')
  const surfaces = new Set(seen.map(({ surface }) => surface))
  // a suite that did not run here has been told of already
  if (columns(kept).some((surface) => !surfaces.has(surface)) || page(seen) === kept) return 0
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

function page(seen: readonly BehaviourResult[]): string {
  return `${HEAD}${BEHAVIOURS.length} promises, ${new Set(seen.map(({ surface }) => surface)).size} surfaces.\n\n${renderTable(seen)}\n`
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
  const { behaviours: seen, failed } = await runSuites([
    { name: 'conformance', command, needs: [] },
  ])
  writeFileSync(FILE, page(behaviours))
  if (failed > 0) process.exitCode = 1
}
