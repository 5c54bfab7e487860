import { sha256 } from '@surehand/core/internal'
import type { ParameterPlan } from './operation.ts'

type Placed = Pick<ParameterPlan, 'name' | 'in'>

const LONGEST = 64
const PLAIN = /^[A-Za-z0-9_.-]{1,64}$/
// JavaScript objects inherit these names.
const INHERITED = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The argument name of each parameter: its own name if every model API accepts it and it is unique,
 * else with its location added.
 */
export function argumentNames(
  parameters: readonly Placed[],
  hasBody: boolean,
): ReadonlyMap<Placed, string> {
  if (areUnique(parameters, hasBody)) return new Map(parameters.map((one) => [one, one.name]))
  const plain = parameters.map((one) => ({ one, name: plainName(one.name) }))
  const takers = new Map<string, number>(hasBody ? [['body', 1]] : [])
  for (const { name } of plain) takers.set(name, (takers.get(name) ?? 0) + 1)
  const named = plain.map(({ one, name }) => {
    const isAlone = (takers.get(name) ?? 0) === 1
    // Path parameters are always required, so they keep the short name.
    const keeps =
      isAlone || (one.in === 'path' && name === one.name && !(hasBody && name === 'body'))
    return { one, name: keeps ? name : cutName(`${name}__${one.in}`, `${one.in} ${one.name}`) }
  })
  return makeUnique(named)
}

// The fast path: names are nearly always unique.
function areUnique(parameters: readonly Placed[], hasBody: boolean): boolean {
  const names = new Set(hasBody ? ['body'] : [])
  for (const { name } of parameters) {
    if (!PLAIN.test(name) || INHERITED.has(name) || names.has(name)) return false
    names.add(name)
  }
  return true
}

function plainName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_.-]/g, '_')
  return cutName(INHERITED.has(plain) ? `field_${plain}` : plain, name)
}

function cutName(name: string, source: string): string {
  return name.length <= LONGEST
    ? name
    : `${name.slice(0, LONGEST - 9)}_${sha256(source).slice(0, 8)}`
}

// `a[b]` and `a]b[` become the same plain name, and a parameter may already be called `id__query`.
function makeUnique(
  named: readonly { readonly one: Placed; readonly name: string }[],
): ReadonlyMap<Placed, string> {
  const takers = new Map<string, number>()
  for (const { name } of named) takers.set(name, (takers.get(name) ?? 0) + 1)
  return new Map(
    named.map(({ one, name }) => [
      one,
      takers.get(name) === 1
        ? name
        : `${name.slice(0, LONGEST - 9)}_${sha256(`${one.in} ${one.name}`).slice(0, 8)}`,
    ]),
  )
}
