import { expect, test } from 'vitest'
import { nameCommands } from './pm-context.ts'

test.each([
  [
    'No next action fits. Clarify the inbox with task.organize.',
    'No next action fits. Clarify the inbox with surehand pm clarify.',
  ],
  ['To start one, call habit.create.', 'To start one, run surehand pm habit.'],
  [
    'Record it with habit.record_completion { "habit_name": "Run" }.',
    'Record it with surehand pm did "Run".',
  ],
  ['Stop it with time.deep_work_stop first.', 'Stop it with surehand pm work stop first.'],
  ['Change it with project.update.', 'Change it with surehand call project.update.'],
  ['"Read task.organize" is in the inbox.', '"Read task.organize" is in the inbox.'],
])('at a terminal, %j is printed as %j', (message, printed) => {
  expect(nameCommands(message)).toBe(printed)
})
