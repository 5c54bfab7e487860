import { falseAlarms, tallyTamperings } from './tally.ts'

/** `node main.ts 10000 1000 [seed]`: so many tamperings, so many clean runs. */
const [count = '10000', runs = '1000', seed = 'surehand'] = process.argv.slice(2)

const { kinds, missed } = await tallyTamperings(Number(count), seed)
console.log(`${'tampering'.padEnd(42)}${'seen'.padStart(8)}${'missed'.padStart(8)}${'no-op'.padStart(8)}`)
for (const [kind, tally] of kinds)
  console.log(`${kind.padEnd(42)}${String(tally.seen).padStart(8)}${String(tally.missed).padStart(8)}${String(tally.void).padStart(8)}`)
for (const one of missed) console.log(`missed: ${one}`)

const alarms = await falseAlarms(Number(runs), seed)
console.log(`${runs} clean runs, ${alarms.length} false alarms`)
for (const one of alarms) console.log(`false alarm: ${one}`)
if (missed.length + alarms.length > 0) process.exitCode = 1
