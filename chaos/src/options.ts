import { parseArgs } from 'node:util'
import type { LedgerKind } from './node/messages.ts'
import type { StoreKind } from './processes/store-backend.ts'

export const SCENARIOS = [
  'calls',
  'same-key',
  'approvals',
  'pending',
  'changed-arguments',
  'failpoints',
  'pauses',
  'clock',
  'slow-store',
  'lost-store',
  'poison',
  'programs',
  'diverging',
] as const
export type ScenarioName = (typeof SCENARIOS)[number]

export type Options = {
  readonly scenario: ScenarioName
  readonly store: StoreKind
  readonly ledger: LedgerKind
  readonly nodes: number
  readonly calls: number
  readonly programs: number
  readonly kills: number
  readonly stops: number
  readonly restarts: number
  readonly clients: number
  readonly keys: number
  readonly racers: number
  readonly only: string | undefined
  /** Which half of the crash cases; undefined: all of them. */
  readonly half: 'first' | 'second' | undefined
  readonly seed: number
  readonly report: 'table' | 'json'
}

export const USAGE = `npm run chaos -- --store sqlite|postgres [--scenario ${SCENARIOS.join('|')}] [--seed S] [--json]
  calls              --calls N [--nodes 3] [--kills K] [--stops S] [--restarts R] [--clients C] [--ledger naive]
                     Ctrl-C stops it early and reports what was found until then
  same-key           --keys K --racers R [--nodes 4]     K keys, each called by R clients at once
  approvals          --keys K --racers R                 K approval requests, each decided and called by R at once
  pending            --keys K                            K approval requests wait while every node is killed
  changed-arguments  --calls N                           N calls with another input under a used key
  failpoints         [--only TEXT] [--half first|second] every failpoint crashed once, in every recovery class or in half of them
  pauses             [--only TEXT]                       a node is paused there for longer than its lease, and continues
  clock                                                  the wall clock is set, or runs too fast, while calls are executed
  slow-store                                             the store is held until the calls that came meanwhile are answered
  lost-store                                             the disk is full, the file overwritten or the server stopped between an effect and its outcome
  poison                                                 tools leave errors behind, or take their process with them
  programs           --programs P [--nodes 3] [--kills K] [--restarts R] [--clients C] [--ledger forgetful]
                     P random runs of about ten steps, compared with a model; Ctrl-C stops it early
  diverging                                              runs whose code has changed when they are resumed`

const SIZES: Readonly<
  Record<
    ScenarioName,
    {
      readonly nodes: number
      readonly calls: number
      readonly keys: number
      readonly racers: number
    }
  >
> = {
  calls: { nodes: 3, calls: 1_000, keys: 0, racers: 0 },
  'same-key': { nodes: 4, calls: 0, keys: 100, racers: 50 },
  approvals: { nodes: 4, calls: 0, keys: 20, racers: 20 },
  pending: { nodes: 3, calls: 0, keys: 100, racers: 0 },
  'changed-arguments': { nodes: 3, calls: 1_000, keys: 100, racers: 0 },
  pauses: { nodes: 2, calls: 0, keys: 0, racers: 0 },
  failpoints: { nodes: 1, calls: 0, keys: 0, racers: 0 },
  clock: { nodes: 3, calls: 0, keys: 0, racers: 0 },
  poison: { nodes: 2, calls: 0, keys: 0, racers: 0 },
  'lost-store': { nodes: 1, calls: 0, keys: 0, racers: 0 },
  'slow-store': { nodes: 2, calls: 0, keys: 0, racers: 0 },
  programs: { nodes: 3, calls: 0, keys: 0, racers: 0 },
  diverging: { nodes: 1, calls: 0, keys: 0, racers: 0 },
}

/** Reads the command line and fills in the defaults; throws on an invalid option. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: text,
      store: text,
      ledger: text,
      nodes: text,
      calls: text,
      programs: text,
      kills: text,
      stops: text,
      restarts: text,
      clients: text,
      keys: text,
      racers: text,
      only: text,
      half: text,
      seed: text,
      json: { type: 'boolean' },
    },
  })
  const scenario = oneOf('scenario', values.scenario ?? 'calls', SCENARIOS)
  const store = oneOf('store', values.store ?? 'sqlite', ['sqlite', 'postgres'] as const)
  const sizes = SIZES[scenario]
  const calls = count('calls', values.calls) ?? sizes.calls
  const programs = count('programs', values.programs) ?? (scenario === 'programs' ? 50 : 0)
  const kills = count('kills', values.kills) ?? Math.ceil(calls * 0.05 + programs)
  return {
    scenario,
    store,
    ledger: oneOf('ledger', values.ledger ?? 'correct', ['correct', 'naive', 'forgetful'] as const),
    nodes: count('nodes', values.nodes) ?? sizes.nodes,
    calls,
    programs,
    kills,
    // A paused node may still send a request that a person has meanwhile resolved as not done.
    stops: count('stops', values.stops) ?? (scenario === 'programs' ? 0 : Math.ceil(kills / 12)),
    restarts:
      count('restarts', values.restarts) ?? (store === 'postgres' ? Math.ceil(kills / 30) : 0),
    clients: count('clients', values.clients) ?? 24,
    keys: count('keys', values.keys) ?? sizes.keys,
    racers: count('racers', values.racers) ?? sizes.racers,
    only: values.only,
    half:
      values.half === undefined
        ? undefined
        : oneOf('half', values.half, ['first', 'second'] as const),
    seed: count('seed', values.seed) ?? 1,
    report: values.json === true ? 'json' : 'table',
  }
}

function oneOf<T extends string>(name: string, given: string, known: readonly T[]): T {
  const found = known.find((one) => one === given)
  if (found === undefined) throw new Error(`--${name} must be one of ${known.join(', ')}.`)
  return found
}

function count(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const number = Number(given)
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`--${name} must be a whole number.`)
  return number
}
