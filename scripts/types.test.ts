import { expect, test } from 'vitest'
import { errorsOf } from './types.ts'

const PEERS = new Set(['fastify', '@mastra/core'])
const missing = (file: string, name: string): string =>
  `${file}(1,2): error TS2307: Cannot find module '${name}' or its corresponding type declarations.`

test('a file of the benchmarks that imports a missing peer is not judged; all others are', () => {
  const follows = "bench/src/peers/mastra.ts(9,9): error TS7006: Parameter 'input' implicitly has"
  const other = 'bench/src/main.ts(3,1): error TS2322: Type is wrong.\n  It is explained.'
  expect(
    errorsOf(
      [
        missing('bench/src/peers/mastra.ts', '@mastra/core/tools'),
        follows,
        missing('bench/src/servers/fastify.ts', 'fastify'),
        other,
      ],
      PEERS,
    ),
  ).toEqual([other])
})

test('a package that is no peer, or is missing elsewhere, is an error', () => {
  const lines = [missing('bench/src/main.ts', './gone.ts'), missing('core/src/index.ts', 'fastify')]
  expect(errorsOf(lines, PEERS)).toEqual(lines)
})
