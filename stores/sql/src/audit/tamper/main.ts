import { execFileSync } from 'node:child_process'
import { falseAlarms, tallyTamperings } from './tally.ts'

/** `node main.ts 10000 1000 [seed]`: the number of tamperings and of clean runs. */
const [count = '10000', runs = '1000', seed = 'surehand'] = process.argv.slice(2)

console.log(`npm run tamper -- ${count} ${runs} ${seed}`)
console.log(`date ${new Date().toISOString()}`)
console.log(`commit ${commit()}`)
console.log(`seed ${seed}, node ${process.version}, ${process.platform} ${process.arch}`)
console.log('')

const { kinds, missed } = await tallyTamperings(Number(count), seed)
console.log(
  `${'tampering'.padEnd(42)}${'seen'.padStart(8)}${'missed'.padStart(8)}${'no-op'.padStart(8)}`,
)
for (const [kind, tally] of kinds)
  console.log(
    `${kind.padEnd(42)}${String(tally.seen).padStart(8)}${String(tally.missed).padStart(8)}${String(tally.void).padStart(8)}`,
  )
for (const one of missed) console.log(`missed: ${one}`)

const alarms = await falseAlarms(Number(runs), seed)
console.log(`${runs} clean runs, ${alarms.length} false alarms`)
for (const one of alarms) console.log(`false alarm: ${one}`)
if (missed.length + alarms.length > 0) process.exitCode = 1

// Reports uncommitted changes: figures of a state that cannot be reproduced prove little.
function commit(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { encoding: 'utf8' }).trim()
  try {
    return `${git('rev-parse', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ', with changes'}`
  } catch {
    return 'unknown'
  }
}
