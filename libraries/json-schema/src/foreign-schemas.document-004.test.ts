import { describe, expect, test } from 'vitest'
import { foreignSchemas } from './foreign-schemas.ts'

// the function signatures that document 004 prints for habit.create and project.status, word for
// word
const { compile } = foreignSchemas()

const habitInput = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    category: {
      type: 'string',
      enum: ['health', 'learning', 'productivity', 'mindfulness', 'social', 'creative', 'other'],
      default: 'other',
    },
    frequency: { type: 'string', enum: ['daily', 'weekly', 'monthly'], default: 'daily' },
    difficulty: { type: 'string', enum: ['tiny', 'easy', 'medium', 'hard'], default: 'easy' },
    description: { type: 'string', maxLength: 1000 },
    cue: { type: 'string', maxLength: 500 },
    routine: { type: 'string', maxLength: 500 },
    reward: { type: 'string', maxLength: 500 },
    target_duration: { type: 'integer', minimum: 1, maximum: 480 },
    reminder_time: { type: 'string', pattern: '^\\d{2}:\\d{2}$' },
  },
}

const habitOutput = {
  type: 'object',
  required: ['habit_info'],
  properties: {
    habit_info: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        category: { type: 'string' },
        frequency: { type: 'string' },
        difficulty: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
      },
    },
  },
}

const invalidInput = {
  type: 'object',
  properties: {
    validation_errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, error: { type: 'string' }, provided_value: {} },
      },
    },
  },
}

const projectInput = {
  type: 'object',
  required: ['project_name'],
  properties: {
    project_name: {
      type: 'string',
      minLength: 1,
      description: 'Name or partial name of the project',
    },
  },
}

const projectOutput = {
  type: 'object',
  required: ['basic_info', 'status_metrics'],
  properties: {
    basic_info: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        path: { type: 'string' },
        description: { type: 'string' },
        current_phase: { type: 'string' },
        team_members: { type: 'array', items: { type: 'string' } },
        target_completion: { type: 'string', format: 'date-time' },
      },
    },
    status_metrics: {
      type: 'object',
      properties: {
        progress: { type: 'number', minimum: 0, maximum: 100 },
        health: { type: 'string', enum: ['excellent', 'good', 'warning', 'critical'] },
        priority: { type: 'string', enum: ['high', 'medium', 'low'] },
        last_updated: { type: 'string', format: 'date-time' },
      },
    },
    completed_work: { type: 'array', items: { type: 'string' } },
    next_actions: { type: 'array', items: { type: 'string' } },
    risks: { type: 'array', items: { type: 'string' } },
  },
}

describe('habit.create', () => {
  const input = compile(habitInput)
  const output = compile(habitOutput)

  test('takes its printed examples as they are', () => {
    const simple = {
      name: 'Morning meditation',
      category: 'mindfulness',
      frequency: 'daily',
      difficulty: 'easy',
    }
    const complex = {
      name: 'Evening workout',
      category: 'health',
      frequency: 'daily',
      difficulty: 'medium',
      description: '30-minute strength training session',
      cue: 'After dinner cleanup',
      routine: '15 min strength + 15 min flexibility',
      reward: 'Listen to favorite podcast',
      target_duration: 30,
      reminder_time: '19:30',
    }
    expect(input.parse(simple)).toEqual({ ok: true, value: simple })
    expect(input.parse(complex)).toEqual({ ok: true, value: complex })
  })

  test('fills in its defaults, and so hashes a short call like the long one', () => {
    const short = input.parse({ name: 'Read' })
    const value = { name: 'Read', category: 'other', frequency: 'daily', difficulty: 'easy' }
    expect(short).toEqual({ ok: true, value })
    expect(input.write(short.ok && short.value).text).toBe(input.write(value).text)
  })

  test('strips what it does not know', () => {
    expect(input.parse({ name: 'Read', user_id: 'somebody else' })).toMatchObject({
      ok: true,
      value: expect.not.objectContaining({ user_id: expect.anything() }),
    })
  })

  test.each<[string, unknown, unknown]>([
    ['name', 'n'.repeat(200), 'n'.repeat(201)],
    ['name', 'n', ''],
    ['category', 'other', 'Other'],
    ['frequency', 'monthly', 'yearly'],
    ['difficulty', 'tiny', null],
    ['description', 'd'.repeat(1000), 'd'.repeat(1001)],
    ['cue', 'c'.repeat(500), 'c'.repeat(501)],
    ['routine', '', 5],
    ['reward', '😀'.repeat(500), '😀'.repeat(501)],
    ['target_duration', 1, 0],
    ['target_duration', 480, 481],
    ['target_duration', 30, 30.5],
    ['target_duration', 30, '30'],
    ['reminder_time', '19:30', '9:30'],
    ['reminder_time', '00:00', '19:30:00'],
    ['reminder_time', '19:30', '19:30\n'],
    ['reminder_time', '19:30', '１9:30'],
  ])('keeps the bounds of %s', (field, good, bad) => {
    expect(input.parse({ name: 'Read', [field]: good })).toMatchObject({ ok: true })
    expect(input.parse({ name: 'Read', [field]: bad })).toMatchObject({
      ok: false,
      problems: [{ field, provided_value: bad }],
    })
  })

  test('says what is missing', () => {
    expect(input.parse({})).toEqual({
      ok: false,
      problems: [
        {
          kind: 'missing',
          field: 'name',
          error: 'is required: expected a string of 1 to 200 characters',
          provided_value: null,
        },
      ],
    })
  })

  test('answers in its printed shape', () => {
    const data = {
      habit_info: {
        id: 'hab_abc123',
        name: 'Morning meditation',
        category: 'mindfulness',
        frequency: 'daily',
        difficulty: 'easy',
        created_at: '2025-01-15T08:30:00Z',
      },
    }
    expect(output.parse(data)).toEqual({ ok: true, value: data })
    expect(output.parse({})).toMatchObject({ problems: [{ kind: 'missing', field: 'habit_info' }] })
    expect(output.parse({ habit_info: { created_at: '2025-02-30T08:30:00Z' } })).toMatchObject({
      problems: [{ field: 'habit_info.created_at' }],
    })
  })

  test('its problems are in the shape its document gives them', () => {
    const parsed = input.parse({ name: '', target_duration: 'x' })
    const validation_errors = parsed.ok
      ? []
      : parsed.problems.map(({ field, error, provided_value }) => ({
          field,
          error,
          provided_value,
        }))
    expect(compile(invalidInput).parse({ validation_errors })).toEqual({
      ok: true,
      value: { validation_errors },
    })
  })
})

describe('project.status', () => {
  const input = compile(projectInput)
  const output = compile(projectOutput)

  test('takes its printed example and no empty name', () => {
    expect(input.parse({ project_name: 'PersonalManager' })).toEqual({
      ok: true,
      value: { project_name: 'PersonalManager' },
    })
    expect(input.parse({ project_name: '' })).toMatchObject({
      problems: [{ kind: 'value', field: 'project_name', error: 'must have at least 1 character' }],
    })
    expect(input.parse({})).toMatchObject({
      problems: [{ kind: 'missing', field: 'project_name' }],
    })
  })

  test('answers in its printed shape', () => {
    const data = {
      basic_info: {
        name: 'PersonalManager',
        path: '/p',
        team_members: ['Ann'],
        target_completion: '2025-06-30T00:00:00+02:00',
      },
      status_metrics: {
        progress: 62.5,
        health: 'good',
        priority: 'high',
        last_updated: '2025-01-15T08:30:00Z',
      },
      risks: [],
    }
    expect(output.parse(data)).toEqual({ ok: true, value: data })
    const wrong = {
      basic_info: { team_members: ['Ann', 5] },
      status_metrics: { progress: 101, health: 'fine' },
    }
    expect(output.parse(wrong)).toMatchObject({
      problems: [
        { field: 'basic_info.team_members[1]' },
        { field: 'status_metrics.progress' },
        { field: 'status_metrics.health' },
      ],
    })
  })
})
