import fc from 'fast-check'

// The gate tries the same cases each time, so that a failure is caused by the change; `npm run
// fuzz` tries new ones.
if (process.env.SUREHAND_FUZZ === undefined) fc.configureGlobal({ seed: 20_261_115 })
