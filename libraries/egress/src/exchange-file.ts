import { appendFileSync, readFileSync } from 'node:fs'
import { ToolError } from '@surehand/core'
import { Exchange } from './exchange.ts'

/** Keeps exchanges in a file, one line of JSON each, at once: a test that dies leaves what it has seen. */
export function keepInFile(path: string): (exchange: Exchange) => void {
  return (exchange) => appendFileSync(path, `${JSON.stringify(exchange)}\n`)
}

export function readExchanges(path: string): readonly Exchange[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) => (line === '' ? [] : [parsed(line, `${path}:${index + 1}`)]))
}

function parsed(line: string, place: string): Exchange {
  try {
    return Exchange.parse(JSON.parse(line))
  } catch (cause) {
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `${place} is no recorded exchange. Record it again.`,
      { cause },
    )
  }
}
