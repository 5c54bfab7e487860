import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineMigration } from './define-migration.ts'
import type { DeprecationAction, DeprecationPhase, MigrationStrategy } from './documents.ts'
import { type PhaseKind, phaseAt } from './phases.ts'

const KINDS = ['warn', 'redirect', 'disable', 'remove'] as const
const ORDER: readonly PhaseKind[] = ['none', ...KINDS]

function act(
  action_type: DeprecationAction['action_type'],
  target = 'create_habit',
): DeprecationAction {
  return { action_type, target, message: 'Old.', alternative: 'habit.create' }
}
function strategyOf(...deprecation_timeline: readonly DeprecationPhase[]): MigrationStrategy {
  return {
    migration_version: '1.0_to_2.0',
    field_mappings: [],
    transformation_rules: [],
    deprecation_timeline: [...deprecation_timeline],
    compatibility_mode: {
      enable_v1_mode: true,
      v1_warning_level: 'none',
      v1_redirect_mode: 'explicit',
      v1_support_end_date: '2030-01-01',
    },
  }
}
function phase(
  start_date: string,
  end_date: string,
  ...actions: readonly DeprecationAction[]
): DeprecationPhase {
  return { phase_name: start_date, start_date, end_date, actions: [...actions] }
}

describe('by date', () => {
  const strategy = strategyOf(
    phase('2026-01-01', '2026-01-31', act('warn')),
    phase('2026-02-01', '2026-02-28', act('redirect'), act('warn', '*')),
    phase('2026-04-01', '2026-04-30', act('disable')),
    phase('2026-05-01T12:00:00+03:00', '2026-05-31', act('remove')),
  )
  test.each<[string, PhaseKind, PhaseKind]>([
    ['2025-12-31T23:59:59.999Z', 'none', 'none'],
    ['2026-01-01T00:00:00.000Z', 'warn', 'none'],
    ['2026-01-31T23:00:00.000Z', 'warn', 'none'],
    ['2026-02-01T00:00:00.000Z', 'redirect', 'warn'],
    ['2026-03-15T00:00:00.000Z', 'redirect', 'warn'],
    ['2026-04-01T00:00:00.000Z', 'disable', 'warn'],
    ['2026-05-01T08:59:59.999Z', 'disable', 'warn'],
    ['2026-05-01T09:00:00.000Z', 'remove', 'warn'],
    ['2036-01-01T00:00:00.000Z', 'remove', 'warn'],
  ])('at %s create_habit is at %s and everything else at %s', (at, create, others) => {
    expect(phaseAt(strategy, 'create_habit', Date.parse(at))).toBe(create)
    expect(phaseAt(strategy, 'list_habits', Date.parse(at))).toBe(others)
  })
})

test('of two actions in a phase the further one holds', () => {
  const both = strategyOf(
    phase('2026-01-01', '2026-02-01', act('warn'), act('disable', 'create_*'), act('redirect')),
  )
  expect(phaseAt(both, 'create_habit', Date.parse('2026-01-15'))).toBe('disable')
})

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-01-01')
const isoDay = (day: number) => new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10)

/** Any timeline of phases in their order, whatever their actions do. */
const timeline = fc
  .array(
    fc.record({
      gap: fc.nat(20),
      length: fc.nat(20),
      kind: fc.constantFrom(...KINDS),
      target: fc.constantFrom('create_habit', 'create_*', '*', 'other'),
    }),
  )
  .map((phases) => {
    let day = 0
    return phases.map(({ gap, length, kind, target }) => {
      const start = day + gap
      day = start + length
      return phase(isoDay(start), isoDay(day), act(kind, target))
    })
  })

test('what has begun is never taken back', () => {
  fc.assert(
    fc.property(timeline, fc.array(fc.integer({ min: -10, max: 400 })), (phases, days) => {
      const strategy = strategyOf(...phases)
      const seen = days
        .toSorted((one, other) => one - other)
        .map((day) => ORDER.indexOf(phaseAt(strategy, 'create_habit', START_MS + day * DAY_MS)))
      expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    }),
  )
})

test('where a timeline goes its way, the phase is that of the last action begun', () => {
  fc.assert(
    fc.property(timeline, fc.integer({ min: -10, max: 400 }), (phases, day) => {
      const now = START_MS + day * DAY_MS
      const kinds = phases
        .filter((one) => Date.parse(one.start_date) <= now)
        .flatMap((one) => one.actions.map((action) => action.action_type))
      const ordered = phases.map((one, index) => ({
        ...one,
        actions: [act(KINDS[Math.min(index, 3)] ?? 'remove')],
      }))
      expect(phaseAt(strategyOf(...ordered), 'create_habit', now)).toBe(
        ORDER[Math.min(kinds.length, 4)],
      )
      expect(() =>
        defineMigration(strategyOf(...ordered), { tools: { create_habit: 'habit.create' } }),
      ).not.toThrow()
    }),
  )
})
