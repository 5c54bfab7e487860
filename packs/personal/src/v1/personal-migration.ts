import {
  type DeprecationAction,
  type DeprecationPhase,
  defineMigration,
  type MigrationStrategy,
  type TransformationRule,
} from '@surehand/documents'
import { FIELD_MAPPINGS } from './field-mappings.ts'
import { V1_TOOLS } from './v1-tools.ts'

// v1 returned whole lists.
const ALL_AT_ONCE = 200

const RULES: readonly TransformationRule[] = [
  {
    applies_to: ['create_habit'],
    rule_type: 'restructure',
    rule_definition: {
      template: { cue: 'loop.cue', routine: 'loop.routine', reward: 'loop.reward' },
    },
  },
  {
    applies_to: ['next_tasks'],
    rule_type: 'rename',
    rule_definition: { fields: { energy_level: 'energy' } },
  },
  {
    applies_to: ['create_habit'],
    rule_type: 'validate',
    rule_definition: { fields: { target_duration: { type: 'integer', min: 1, max: 480 } } },
  },
  {
    applies_to: ['record_habit'],
    rule_type: 'validate',
    rule_definition: { fields: { quality: { type: 'integer', min: 1, max: 5 } } },
  },
  {
    applies_to: ['list_habits', 'list_tasks', 'list_projects'],
    rule_type: 'enrich',
    rule_definition: { fields: { limit: ALL_AT_ONCE } },
  },
]

type Step = Pick<DeprecationPhase, 'phase_name' | 'start_date' | 'end_date'> &
  Pick<DeprecationAction, 'action_type' | 'message'>

const STEPS: readonly Step[] = [
  {
    phase_name: 'announce',
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    action_type: 'warn',
    message: 'v1 calls are served until 30 June 2027.',
  },
  {
    phase_name: 'redirect',
    start_date: '2027-01-01',
    end_date: '2027-06-30',
    action_type: 'redirect',
    message: 'This v1 call was served by its successor; v1 is switched off on 1 July 2027.',
  },
  {
    phase_name: 'switch_off',
    start_date: '2027-07-01',
    end_date: '2027-12-31',
    action_type: 'disable',
    message: 'v1 calls were switched off on 1 July 2027.',
  },
  {
    phase_name: 'remove',
    start_date: '2028-01-01',
    end_date: '2028-12-31',
    action_type: 'remove',
    message: 'v1 calls were removed on 1 January 2028.',
  },
]

/**
 * How v1 calls of the personal manager become v2 calls, and until when: the MigrationStrategy of
 * document 004, as data.
 */
export const PERSONAL_STRATEGY: MigrationStrategy = {
  migration_version: '1.0_to_2.0',
  field_mappings: [...FIELD_MAPPINGS],
  transformation_rules: [...RULES],
  deprecation_timeline: STEPS.map(({ phase_name, start_date, end_date, action_type, message }) => ({
    phase_name,
    start_date,
    end_date,
    actions: Object.entries(V1_TOOLS).map(([target, alternative]) => ({
      action_type,
      target,
      message,
      alternative,
    })),
  })),
  compatibility_mode: {
    enable_v1_mode: true,
    v1_warning_level: 'user_facing',
    v1_redirect_mode: 'transparent',
    v1_support_end_date: '2028-12-31',
  },
}

export const personalMigration = defineMigration(PERSONAL_STRATEGY, { tools: V1_TOOLS })
