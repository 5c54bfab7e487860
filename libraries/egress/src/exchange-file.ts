import { appendFileSync, readFileSync } from 'node:fs'
import { ToolError } from '@surehand/core'
import { Exchange } from './exchange.ts'

/**
 * Appends exchanges to a file, one line of JSON each. Written at once, so that a test that crashes
 * leaves its recording.
 */
export function recordToFile(path: string): (exchange: Exchange) => void {
  return (exchange) => appendFileSync(path, `${JSON.stringify(exchange)}\n`)
}

export function readExchanges(path: string): readonly Exchange[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    line === '' ? [] : [parseExchange(line, `${path}:${index + 1}`)],
  )
}

function parseExchange(line: string, place: string): Exchange {
  try {
    return Exchange.parse(JSON.parse(line))
  } catch (cause) {
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `${place} is not a recorded exchange. Record it again.`,
      { cause },
    )
  }
}
