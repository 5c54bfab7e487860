/**
 * Whether the tests of the stores open them with group commit. Run them with
 * `SUREHAND_GROUP_COMMIT=off` to prove that every promise holds without it.
 */
export const GROUP_COMMIT: 'on' | 'off' = process.env.SUREHAND_GROUP_COMMIT === 'off' ? 'off' : 'on'
