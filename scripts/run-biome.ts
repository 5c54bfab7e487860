import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { BIOME, missingNeeds } from './needs.ts'

// Biome is installed when it is first used: `npm start` and the tests do without it.
const [missing] = await missingNeeds([BIOME])
if (missing === undefined) {
  const biome = join(import.meta.dirname, 'tools', 'node_modules', '.bin', 'biome')
  const { status } = spawnSync(biome, process.argv.slice(2), { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  console.error(`The code cannot be checked without ${missing.what}.`)
  process.exitCode = 1
}
