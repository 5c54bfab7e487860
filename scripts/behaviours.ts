import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BEHAVIOURS, renderTable } from '@surehand/conformance'
import { type BehaviourResult, runSuites } from './steps.ts'

const FILE = join(import.meta.dirname, '..', 'docs', 'conformance.md')
const HEAD = `# What holds on which surface

One row for each promise of RULES.md, run over every surface with the same stores, clock and providers: ✓ it holds, – the surface cannot carry
what it takes (a key that no header can hold, a framework's own ids over HTTP), ✗ it is broken. The gate fails when this page differs from what it
measured. Written by \`npm run conformance\`.

`

/**
 * Prints how many behaviours held on each surface. Returns 1 when the page in docs differs, else 0.
 */
export function reportBehaviours(results: readonly BehaviourResult[]): number {
  for (const [surface, ofSurface] of Map.groupBy(results, (one) => one.surface)) {
    const count = (verdict: BehaviourResult['verdict']) =>
      ofSurface.filter((one) => one.verdict === verdict).length
    console.log(
      `${surface.padEnd(24)}${count('holds')} hold, ${count('broken')} broken, ${count('does not apply')} do not apply`,
    )
  }
  const stored = readFileSync(FILE, 'utf8')
  const surfaces = new Set(results.map(({ surface }) => surface))
  // A suite that could not run here has been reported already.
  if (columns(stored).some((surface) => !surfaces.has(surface)) || page(results) === stored)
    return 0
  console.log(
    'docs/conformance.md differs from what was measured. To fix this, run `npm run conformance`.',
  )
  return 1
}

function columns(text: string): readonly string[] {
  const head = text.split('\n').find((line) => line.startsWith('| behaviour'))
  return (head ?? '')
    .split(' | ')
    .slice(3)
    .map((cell) => cell.replace(/ \|$/, ''))
}

function page(results: readonly BehaviourResult[]): string {
  const surfaces = new Set(results.map(({ surface }) => surface))
  return `${HEAD}${BEHAVIOURS.length} promises, ${surfaces.size} surfaces.

${renderTable(results)}
`
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
  const { behaviours, failed } = await runSuites([{ name: 'conformance', command, needs: [] }])
  writeFileSync(FILE, page(behaviours))
  if (failed > 0) process.exitCode = 1
}
