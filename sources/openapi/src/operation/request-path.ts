import { LeftOut } from '../document/left-out.ts'
import type { OperationPlan } from './operation.ts'
import type { Parameter } from './parameters.ts'

type RequestPath = Pick<OperationPlan, 'path' | 'query'>

/**
 * The path that is requested, and the fixed part of its query. Documents tell operations of one path
 * apart by a fragment (`/#Action=Stop`), which is never sent, or by a query (`/orders?open=1`).
 */
export function readRequestPath(written: string, parameters: readonly Parameter[]): RequestPath {
  const [sent = ''] = written.split('#')
  const at = sent.indexOf('?')
  const path = at < 0 ? sent : sent.slice(0, at)
  const query = (at < 0 ? '' : sent.slice(at + 1))
    .split('&')
    .filter((pair) => pair !== '')
    .map(splitPair)
    .filter(([, value]) => !isOwnParameter(value, parameters))
  checkPathParameters([path, ...query.map(([, value]) => value)].join('/'), parameters)
  return { path, query }
}

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}

// `?q={q}` repeats a parameter that is declared as one of the query, and sent as such.
function isOwnParameter(value: string, parameters: readonly Parameter[]): boolean {
  const name = /^\{([^{}]+)\}$/.exec(value)?.[1]
  return parameters.some((one) => one.in === 'query' && one.name === name)
}

// A path with an unfilled parameter would lead elsewhere.
function checkPathParameters(path: string, parameters: readonly Parameter[]): void {
  const [before = '', ...holes] = path.split('{')
  let isMatched = !before.includes('}')
  for (const hole of holes) {
    const end = hole.indexOf('}')
    isMatched &&= end > 0 && end === hole.lastIndexOf('}')
    const name = hole.slice(0, Math.max(end, 0))
    if (isMatched && !parameters.some((one) => one.in === 'path' && one.name === name))
      throw new LeftOut(`its path parameter "{${name.slice(0, 60)}}" is not declared`)
  }
  if (!isMatched) throw new LeftOut('the braces of its path do not match')
}
